import ArgumentParser
import Plugboard
import PlugboardClient

extension BehaviorsCommand {
    /// The command `behaviors drafts`.
    struct Drafts: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the drafts that wait, with the approvals that they need and have.",
            discussion: """
                Without options the command lists the drafts of all documents and environments. A \
                draft waits until it goes live, is discarded, or a later revision goes live.
                """
        )

        @Option("The document's name. (default: all)", value: "name")
        var document: String?

        @Option("The environment. (default: all)", value: "name")
        var environment: String?

        @OptionGroup var server: ServerOptions

        func run() async throws {
            let input = ListDrafts.Input(environment: environment, name: document)
            let waiting = try await server.send(ListDrafts.self, input)
            waiting.drafts.forEach(Self.show)
            if !waiting.isComplete {
                Output.writeError("more drafts wait; name an --environment or a --document")
            }
        }

        private static func show(_ one: DraftReport) {
            var words = [
                "\(one.name) in \(one.environment)", "draft \(one.revision)", one.created,
                one.authorName ?? one.author,
                "\(one.given) of \(counted(one.needed, "approval"))",
            ]
            words += one.approvals.map { "approved by \($0.shown)" } + one.ended
            words += one.schedules.map { "scheduled for \($0)" }
            words += [one.message].compactMap(\.self)
            Output.print(words.joined(separator: "  "))
        }
    }

    /// The command `behaviors approve`.
    struct Approve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Approves another author's draft.",
            discussion: "The token needs the scope behaviors:approve."
        )

        @Argument(help: "The draft's number.")
        var revision: Int

        @Option(help: "A comment, for the history.")
        var message: String?

        @OptionGroup var options: DocumentOptions

        func run() async throws {
            let comment = BehaviorsCommand.comment(revision, message, options)
            let done = try await options.server.send(ApproveDraft.self, comment)
            let names = done.approvals.map { $0.name ?? $0.by }.joined(separator: ", ")
            Output.print("draft \(done.revision) is approved by \(names)")
        }
    }

    /// The command `behaviors discard`.
    struct Discard: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Discards a draft, so that it can't go live.",
            discussion: "The draft's bytes and its history stay. Its schedules end."
        )

        @Argument(help: "The draft's number.")
        var revision: Int

        @Option(help: "The reason, for the history.")
        var message: String?

        @OptionGroup var options: DocumentOptions

        func run() async throws {
            let comment = BehaviorsCommand.comment(revision, message, options)
            BehaviorsCommand.show(try await options.server.send(DiscardDraft.self, comment))
        }
    }

    private static func comment(
        _ revision: Int,
        _ message: String?,
        _ options: DocumentOptions
    ) -> DraftComment {
        var comment = DraftComment(name: options.document, revision: revision)
        comment.message = message
        comment.environment = options.environment
        return comment
    }
}
