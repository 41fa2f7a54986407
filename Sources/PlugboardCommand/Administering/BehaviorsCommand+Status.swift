import ArgumentParser
import JSONCodec
import PlugHTTP
import Plugboard
import PlugboardClient

extension BehaviorsCommand {
    /// The command `behaviors status`.
    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows what is live, rolls out, waits and is scheduled.",
            discussion: """
                The command shows each document of each environment. It names a document without a \
                change for 30 days.
                """
        )

        @Option("The environment. (default: all)", value: "name")
        var environment: String?

        @OptionGroup var server: ServerOptions

        func run() async throws {
            let input = GetOverview.Input(environment: environment)
            let all = try await server.send(GetOverview.self, input)
            if all.documents.isEmpty { Output.writeError("there are no documents") }
            var shown: String?
            for one in all.documents {
                if one.environment != shown { Output.print(one.environment) }
                shown = one.environment
                Self.lines(of: one).forEach { Output.print("  \($0)") }
            }
            if !all.isComplete {
                Output.writeError("the server has more documents or drafts; name an --environment")
            }
        }

        /// Returns the lines of a document.
        static func lines(of one: OverviewReport) -> [String] {
            let live = one.live.map { live in
                [
                    "revision \(live) live since \(one.since ?? "?")",
                    "by \(one.authorName ?? one.author ?? "?")", one.message ?? "",
                ].filter { !$0.isEmpty }.joined(separator: "  ")
            }
            var lines = ["\(one.name)  \(live ?? "nothing is live")"]
            if !one.rollouts.isEmpty {
                let shares = one.rollouts.map(text).joined(separator: ", ")
                lines.append("  rolls out  \(shares)")
            }
            lines += one.drafts.map { draft in
                "  waits  draft \(draft.revision) of \(draft.created)  "
                    + "by \(draft.authorName ?? draft.author)  "
                    + "\(draft.given) of \(counted(draft.needed, "approval"))"
                    + (draft.message.map { "  \($0)" } ?? "")
            }
            lines += one.schedules.map { schedule in
                "  scheduled  revision \(schedule.revision) at \(schedule.at)  "
                    + "by \(schedule.byName ?? schedule.by)"
                    + (schedule.condition.map { "  \($0)" } ?? "")
            }
            if one.unchanged, let days = one.days { lines.append("  unchanged  for \(days) days") }
            return lines
        }

        private static func text(_ share: RolloutReport) -> String {
            let percent = JSON.Number(share.percent).map { JSON.number($0).description } ?? "?"
            return "\(share.place)\(share.value.map { " \($0)" } ?? "") to \(percent) %"
        }
    }
}
