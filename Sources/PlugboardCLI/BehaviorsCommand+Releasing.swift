import ArgumentParser
import PlugHTTP
import Plugboard
import PlugboardClient

extension BehaviorsCommand {
    /// The command `plugboard behaviors promote`.
    struct Promote: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes what is live in one environment live in another, or a draft there.",
            discussion: """
                What the other environment has otherwise (plugboard behaviors override) is laid over \
                it, then the patch of this call.
                """
        )

        @Option(help: ArgumentHelp("The environment that it is to go to.", valueName: "name"))
        var to: String

        @Option("That revision, not what is live.", value: "number")
        var revision: Int?

        @Flag(help: "Makes a draft of it.")
        var draft = false

        @Option(
            "A JSON Patch that is laid over it this time; - is the standard input.",
            value: "file"
        )
        var overrides: String?

        @Option(help: "Why, for the history.")
        var message: String?

        @Option("Only if that revision is live where it is to go; 0 for none.", value: "number")
        var ifLive: Int?

        @OptionGroup var options: DocumentOptions

        func run() async throws {
            var promotion = PromoteBehavior.Input(name: options.document, to: to)
            promotion.from = options.environment
            promotion.revision = revision
            promotion.draft = draft ? true : nil
            promotion.message = message
            (promotion.ifMatch, promotion.ifNoneMatch) = BehaviorsCommand.condition(ifLive)
            promotion.overrides = try overrides.map { PatchDocument(try JSON.file($0)) }
            BehaviorsCommand.show(try await options.server.send(PromoteBehavior.self, promotion))
        }
    }

    /// The command `plugboard behaviors approve`.
    struct Approve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Approves of somebody else's draft.",
            discussion: "The token needs the scope behaviors:approve."
        )

        @Argument(help: "The draft's number.")
        var revision: Int

        @OptionGroup var options: DocumentOptions

        func run() async throws {
            var which = RevisionID(name: options.document, revision: revision)
            which.environment = options.environment
            let done = try await options.server.send(ApproveDraft.self, which)
            let names = done.approvals.map { $0.name ?? $0.by }.joined(separator: ", ")
            Output.print("draft \(done.revision) is approved of by \(names)")
        }
    }

    /// The command `plugboard behaviors schedule`.
    struct Schedule: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Has a revision go live at a time, or lists what is to.",
            discussion: "Without a revision it lists what is still to go live."
        )

        @Argument(help: "The revision: a draft, or what was live before.")
        var revision: Int?

        @Option("When: 2026-11-22T08:00:00Z.", value: "time")
        var at: String?

        @Option("Takes that schedule back.", value: "number")
        var cancel: Int?

        @OptionGroup var options: DocumentOptions

        func run() async throws {
            switch (revision, at, cancel) {
            case (let revision?, let at?, nil):
                var new = ScheduleBehavior.Input(name: options.document, revision: revision, at: at)
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
                throw Failure.usage("schedule takes a revision with --at, or --cancel, or nothing")
            }
        }

        private static func show(_ one: ScheduleReport) {
            Output.print("\(one.id)  at \(one.at)  revision \(one.revision)  by \(one.by)")
        }
    }

    /// The command `plugboard behaviors rules`.
    struct Rules: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Tells or changes what environments ask for before something goes live.",
            discussion: "Without an environment all are listed. Changing it needs the scope admin."
        )

        @Argument(help: "The environment.")
        var environment: String?

        @Option("How many others than its author have to approve of a draft.", value: "number")
        var approvals: Int?

        @OptionGroup var server: ServerOptions

        func run() async throws {
            guard let environment else {
                guard approvals == nil else {
                    throw Failure.usage("--approvals is of one environment: name it")
                }
                let all = try await server.ask { try await $0.send(ListEnvironments.self) }
                return all.forEach(Self.tell)
            }
            guard let approvals else {
                let rules = try await server.send(
                    GetEnvironment.self,
                    .init(environment: environment)
                )
                return Self.tell(rules)
            }
            let rules = EnvironmentReport(environment: environment, approvals: approvals)
            Self.tell(try await server.send(SetEnvironment.self, rules))
        }

        private static func tell(_ rules: EnvironmentReport) {
            Output.print("\(rules.environment)  approvals: \(rules.approvals)")
        }
    }
}
