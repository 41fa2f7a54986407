import ArgumentParser
import BehaviorStore
import Behaviors
import JSONCodec
import PlugHTTP
import Plugboard
import PlugboardClient

/// The options of commands that call a server for one document.
struct DocumentOptions: ParsableArguments {
    @Option("The document's name.", value: "name")
    var document = "default"

    @Option("The environment. (default: the server's own)", value: "name")
    var environment: String?

    @OptionGroup var server: ServerOptions

    /// Whether none of them is given.
    var isDefault: Bool { document == "default" && environment == nil && server.isDefault }

    /// The document that is meant where an argument may name it, too.
    func document(_ argument: String?) throws -> String {
        guard let argument else { return document }
        guard document == "default" || document == argument else {
            throw Failure.usage("it is either \(argument) or \(document)")
        }
        return argument
    }
}

extension BehaviorsCommand {
    /// The command `plugboard behaviors list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the documents there are.")

        @Option("The environment. (default: the server's own)", value: "name")
        var environment: String?

        @OptionGroup var server: ServerOptions

        func run() async throws {
            let input = ListBehaviors.Input(environment: environment)
            let known = try await server.send(ListBehaviors.self, input)
            if known.isEmpty {
                Output.complain(
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

    /// The command `plugboard behaviors publish`.
    struct Publish: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes a file's document live, or a draft that is there.",
            discussion: """
                With --draft the document is kept and not served until it is published with \
                --revision. With --if-live nothing is done where somebody else was faster.
                """
        )

        @Argument(help: "The document's file; - for the standard input.")
        var file: String?

        @Option("Publishes this draft.", value: "number")
        var revision: Int?

        @Flag(help: "Keeps the document as a draft.")
        var draft = false

        @Option(help: "Why, for the history.")
        var message: String?

        @Option("Only if that revision is live; 0 for none.", value: "number")
        var ifLive: Int?

        @OptionGroup var options: DocumentOptions

        func run() async throws {
            switch (file, revision) {
            case (let file?, nil): try await put(file)
            case (nil, let revision?):
                guard !draft, message == nil else {
                    throw Failure.usage("a draft goes live as it is, its message included")
                }
                var change = PublishDraft.Input(name: options.document, revision: revision)
                change.environment = options.environment
                (change.ifMatch, change.ifNoneMatch) = BehaviorsCommand.condition(ifLive)
                BehaviorsCommand.show(try await options.server.send(PublishDraft.self, change))
            default: throw Failure.usage("publish takes a file, or a draft's --revision")
            }
        }

        private func put(_ file: String) async throws {
            let text = try InputFile.text(file, greatest: 64 << 20)
            // Sent, it would be no body, and the server couldn't tell that there is a file.
            guard !text.isEmpty else { throw Failure("\(file) is empty: a document is an array") }
            // What is no document is the server's to tell of.
            if let behavior = try? AuthoredBehavior(json: text.utf8) {
                for slip in RuleSlip.all(of: behavior.document, at: behavior.modulesPointer) {
                    Output.complain(line: "\(file): warning: \(slip)")
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

    /// The command `plugboard behaviors history`.
    struct History: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists a document's revisions, the newest first."
        )

        @Option("How many, 100 at most.", value: "number")
        var limit = BehaviorDocuments.usualPage

        @Option("Only those below that revision.", value: "number")
        var before: Int?

        @OptionGroup var options: DocumentOptions

        func run() async throws {
            var list = ListRevisions.Input(name: options.document)
            list.environment = options.environment
            (list.before, list.limit) = (before, limit)
            try await options.server.send(ListRevisions.self, list).forEach(BehaviorsCommand.show)
        }
    }

    /// The command `plugboard behaviors show`.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints a revision's document, byte by byte as it was put."
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

    /// The command `plugboard behaviors rollback`.
    struct Rollback: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes a revision's document live again, as a new revision."
        )

        @Argument(help: "The revision's number.")
        var revision: Int

        @Option(help: "Why, for the history.")
        var message: String?

        @Option("Only if that revision is live.", value: "number")
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

    /// The fields that ask for what is live.
    static func condition(_ live: Int?) -> (ifMatch: String?, ifNoneMatch: String?) {
        guard let live else { return (nil, nil) }
        return live == 0 ? (nil, "*") : ("\"\(live)\"", nil)
    }

    static func show(_ one: RevisionReport) {
        let author = one.authorName ?? one.author
        let words = [one.message, one.origin?.words].compactMap(\.self)
        // Who gives no message of their own has that one.
        let shown = words.first == words.last ? words.prefix(1) : words[...]
        Output.print(
            line: ([
                "\(one.revision)", one.state, one.created, String(one.digest.prefix(12)), author,
            ] + shown).joined(separator: "  ")
        )
    }
}
