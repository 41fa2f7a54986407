import ArgumentParser
import Glibc
import JSONCodec
import PlugHTTP
import Plugboard
import PlugboardClient

extension BehaviorsCommand {
    /// The command `behaviors promote`.
    struct Promote: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Publishes an environment's live document in another, or stores a draft.",
            discussion: """
                The server applies the target environment's overrides (plugboard behaviors \
                override), then the patch of --overrides.
                """
        )

        @Option("The source environment. (default: the server's own)", value: "name")
        var from: String?

        @Option(help: ArgumentHelp("The target environment.", valueName: "name"))
        var to: String

        @Flag(help: "Creates the target environment if it doesn't exist.")
        var create = false

        @Option("The revision to promote. (default: the live one)", value: "number")
        var revision: Int?

        @Flag(help: "Stores the result as a draft.")
        var draft = false

        @Option(
            "A JSON Patch for this promotion only; - for the standard input.",
            value: "file"
        )
        var overrides: String?

        @Option(help: "The reason, for the history.")
        var message: String?

        @Option("Only if this revision is live in the target; 0 for none.", value: "number")
        var ifLive: Int?

        @Option("The document's name.", value: "name")
        var document = "default"

        @OptionGroup var server: ServerOptions

        func run() async throws {
            var promotion = PromoteBehavior.Input(name: document, to: to)
            promotion.from = from
            promotion.revision = revision
            promotion.draft = draft ? true : nil
            promotion.create = create ? true : nil
            promotion.message = message
            (promotion.ifMatch, promotion.ifNoneMatch) = BehaviorsCommand.condition(ifLive)
            promotion.overrides = try overrides.map { PatchDocument(try JSON.file($0)) }
            BehaviorsCommand.show(try await server.send(PromoteBehavior.self, promotion))
        }
    }

    /// The command `behaviors schedule`.
    struct Schedule: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Schedules a revision to go live, or lists or cancels schedules.",
            discussion: "Without a revision and --cancel the command lists the pending schedules."
        )

        @Argument(help: "The revision: a draft, or one that was live before.")
        var revision: Int?

        @Option(
            """
            The time: +2h, 2026-12-01T09:00 in this machine's zone, 2026-12-01T09:00+02:00, or \
            "2026-12-01T09:00 Europe/Riga".
            """,
            value: "time"
        )
        var at: String?

        @Option("The number of the schedule to cancel.", value: "number")
        var cancel: Int?

        @OptionGroup var options: DocumentOptions

        func run() async throws {
            switch (revision, at, cancel) {
            case (let revision?, let at?, nil):
                var new = ScheduleBehavior.Input(
                    name: options.document,
                    revision: revision,
                    at: try Self.timestamp(at)
                )
                new.environment = options.environment
                Self.show(try await options.server.send(ScheduleBehavior.self, new))
            case (nil, nil, let id?):
                var which = CancelSchedule.Input(name: options.document, id: id)
                which.environment = options.environment
                try await options.server.send(CancelSchedule.self, which)
            case (nil, nil, nil):
                let input = BehaviorID(name: options.document, environment: options.environment)
                try await options.server.send(ListSchedules.self, input).forEach(Self.show)
            default:
                throw Failure.usage("schedule takes a revision with --at, or --cancel alone")
            }
        }

        /// Returns a given time as a timestamp in UTC.
        private static func timestamp(_ text: String) throws -> String {
            do throws(GivenTime.Invalid) {
                let given = try GivenTime(text, now: time(nil))
                return Timestamp.text(Double(given.seconds)) ?? text
            } catch {
                throw Failure.usage("--at: \(error)")
            }
        }

        private static func show(_ one: ScheduleReport) {
            Output.print(
                "\(one.id)  at \(one.at)  revision \(one.revision)  by \(one.byName ?? one.by)"
                    + (one.condition.map { "  \($0)" } ?? "")
            )
        }
    }
}
