import ArgumentParser
import BehaviorStore
import Behaviors
import JSONCodec
import PlugHTTP
import Plugboard
import PlugboardClient

/// The options of commands for one document of a server.
struct DocumentOptions: ParsableArguments {
    @Option("The document's name.", value: "name")
    var document = "default"

    @Option("The environment. (default: the server's own)", value: "name")
    var environment: String?

    @OptionGroup var server: ServerOptions

    /// Whether no option is given.
    var isDefault: Bool { document == "default" && environment == nil && server.isDefault }

    /// Returns the document's name, which an argument may give in place of `--document`.
    func document(_ argument: String?) throws -> String {
        guard let argument else { return document }
        guard document == "default" || document == argument else {
            throw Failure.usage("two documents are given, \(argument) and \(document): name one")
        }
        return argument
    }
}

extension BehaviorsCommand {
    /// The command `behaviors list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the documents.")

        @Option("The environment. (default: the server's own)", value: "name")
        var environment: String?

        @OptionGroup var server: ServerOptions

        func run() async throws {
            let input = ListBehaviors.Input(environment: environment)
            let known = try await server.send(ListBehaviors.self, input)
            if known.isEmpty {
                Output.writeError(
                    "there are no documents in \(environment ?? "the server's environment")"
                )
            }
            for one in known {
                let live = one.live.map { "revision \($0) since \(one.since ?? "?")" } ?? "nothing"
                Output.print(
                    "\(one.name) in \(one.environment)  live: \(live)  newest: \(one.latest)"
                )
            }
        }
    }

    /// The command `behaviors publish`.
    struct Publish: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Publishes a file's document, or a stored draft.",
            discussion: """
                With --draft the server stores the document without serving it; publish it later \
                with --revision. With --if-live the command fails if another author has published \
                since that revision.
                """
        )

        @Argument(help: "The document's file; - for the standard input.")
        var file: String?

        @Option("The number of the draft to publish.", value: "number")
        var revision: Int?

        @Flag(help: "Stores the document as a draft.")
        var draft = false

        @Option(help: "The reason, for the history.")
        var message: String?

        @Option("Publishes only if this revision is live; 0 for none.", value: "number")
        var ifLive: Int?

        @OptionGroup var options: DocumentOptions

        func run() async throws {
            switch (file, revision) {
            case (let file?, nil): try await put(file)
            case (nil, let revision?):
                guard !draft, message == nil else {
                    throw Failure.usage(
                        "--revision publishes a draft as stored: leave out --draft and --message"
                    )
                }
                var change = PublishDraft.Input(name: options.document, revision: revision)
                change.environment = options.environment
                (change.ifMatch, change.ifNoneMatch) = BehaviorsCommand.condition(ifLive)
                BehaviorsCommand.show(try await options.server.send(PublishDraft.self, change))
            default: throw Failure.usage("publish takes either a file or --revision")
            }
        }

        private func put(_ file: String) async throws {
            let text = try InputFile.text(file, maximum: 64 << 20)
            // The server can't distinguish an empty body from a missing one.
            guard !text.isEmpty else { throw Failure("\(file) is empty: a document is an array") }
            // The server reports the errors of an invalid document.
            if let behavior = try? AuthoredBehavior(json: text.utf8) {
                for slip in MisspelledRule.all(of: behavior.document, at: behavior.modulesPointer) {
                    Output.writeError("\(file): warning: \(slip)")
                }
            }
            var put = PutBehavior.Input(name: options.document, document: text)
            put.draft = draft ? true : nil
            put.message = message
            put.environment = options.environment
            (put.ifMatch, put.ifNoneMatch) = BehaviorsCommand.condition(ifLive)
            BehaviorsCommand.show(try await options.server.send(PutBehavior.self, put))
        }
    }

    /// The command `behaviors history`.
    struct History: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists a document's revisions, newest first."
        )

        @Option("The number of revisions, at most 100.", value: "number")
        var limit = BehaviorDocuments.usualPage

        @Option("Lists only revisions before this number.", value: "number")
        var before: Int?

        @OptionGroup var options: DocumentOptions

        func run() async throws {
            var list = ListRevisions.Input(name: options.document)
            list.environment = options.environment
            (list.before, list.limit) = (before, limit)
            try await options.server.send(ListRevisions.self, list).forEach(BehaviorsCommand.show)
        }
    }

    /// The command `behaviors show`.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints a revision's document, byte for byte as its author sent it."
        )

        @Argument(help: "The revision's number.")
        var revision: Int

        @OptionGroup var options: DocumentOptions

        func run() async throws {
            let which =
                [
                    "name": .string(options.document), "revision": .number(JSON.Number(revision)),
                    "environment": options.environment.map(JSON.string) ?? .null,
                ] as JSON
            let route = try ActionRoute(endpoint: GetRevision.self)
            Output.write(try await options.server.ask { try await $0.send(route, which) })
        }
    }

    /// The command `behaviors rollback`.
    struct Rollback: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Publishes an earlier revision's document again, as a new revision."
        )

        @Argument(help: "The revision's number.")
        var revision: Int

        @Option(help: "The reason, for the history.")
        var message: String?

        @Option("Rolls back only if this revision is live.", value: "number")
        var ifLive: Int?

        @OptionGroup var options: DocumentOptions

        func run() async throws {
            var change = RollBackBehavior.Input(name: options.document, revision: revision)
            change.message = message
            change.environment = options.environment
            (change.ifMatch, change.ifNoneMatch) = BehaviorsCommand.condition(ifLive)
            BehaviorsCommand.show(try await options.server.send(RollBackBehavior.self, change))
        }
    }

    /// The condition that a revision is live; that none is, for 0.
    static func condition(_ live: Int?) -> (ifMatch: String?, ifNoneMatch: String?) {
        guard let live else { return (nil, nil) }
        return live == 0 ? (nil, "*") : ("\"\(live)\"", nil)
    }

    static func show(_ one: RevisionReport) {
        let author = one.authorName ?? one.author
        let words = [one.message, one.origin?.words].compactMap(\.self)
        // The origin's text is also the default message: print it once.
        let shown = words.first == words.last ? words.prefix(1) : words[...]
        Output.print(
            ([
                "\(one.revision)", one.state, one.created, String(one.digest.prefix(12)), author,
            ] + shown).joined(separator: "  ")
        )
    }
}
