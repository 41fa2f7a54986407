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

    /// Returns the bytes of a document's revision; without a number of the live one.
    ///
    /// The document must be in the store: a file isn't.
    func bytes(of name: String, _ revision: Int?) async throws -> [UInt8] {
        let number = try await number(of: name, revision)
        let which: JSON = [
            "name": .string(name), "revision": .number(JSON.Number(number)),
            "environment": environment.map(JSON.string) ?? .null,
        ]
        let route = try ActionRoute(endpoint: GetRevision.self)
        return try await server.ask { try await $0.send(route, which) }
    }

    /// Returns the number of a document's revision; without a number that of the live one.
    func number(of name: String, _ revision: Int?) async throws -> Int {
        if let revision { return revision }
        let known = try await server.request(
            ListBehaviors.self,
            .init(environment: environment)
        )
        guard let live = known.first(where: { $0.name == name })?.live else {
            let place = environment ?? "the server's environment"
            throw Failure("no revision of \(name) is live in \(place): publish one")
        }
        return live
    }

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

        @Flag(help: "Creates the environment if it doesn't exist.")
        var create = false

        @Option(help: "The reason, for the history.")
        var message: String?

        @Option("Publishes only if this revision is live; 0 for none.", value: "number")
        var ifLive: Int?

        @OptionGroup var options: DocumentOptions

        func run() async throws {
            switch (file, revision) {
            case (let file?, nil): try await put(file)
            case (nil, let revision?):
                guard !draft, !create, message == nil else {
                    throw Failure.usage(
                        "--revision publishes a draft as stored: leave out --draft, --create and "
                            + "--message"
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
            put.create = create ? true : nil
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

        @Argument(help: "The revision's number. (default: the live one)")
        var revision: Int?

        @Flag(help: "Prints its author, times, approvals and schedules instead.")
        var details = false

        @OptionGroup var options: DocumentOptions

        func run() async throws {
            if details {
                var which = RevisionID(
                    name: options.document,
                    revision: try await options.number(of: options.document, revision)
                )
                which.environment = options.environment
                return BehaviorsCommand.showDetails(
                    try await options.server.send(DescribeRevision.self, which)
                )
            }
            Output.write(try await options.bytes(of: options.document, revision))
        }
    }

    /// The command `behaviors rollback`.
    struct Rollback: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Publishes an earlier revision's document again, as a new revision."
        )

        @Argument(help: "The revision's number. (default: the previous live one)")
        var revision: Int?

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
}
