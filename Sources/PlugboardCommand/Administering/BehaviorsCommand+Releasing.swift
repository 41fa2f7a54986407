import ArgumentParser
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

        @Option(help: ArgumentHelp("The target environment.", valueName: "name"))
        var to: String

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

    /// The command `behaviors approve`.
    struct Approve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Approves another author's draft.",
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
            Output.print("draft \(done.revision) is approved by \(names)")
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

        @Option("The time, such as 2026-11-22T08:00:00Z.", value: "time")
        var at: String?

        @Option("The number of the schedule to cancel.", value: "number")
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
                throw Failure.usage("schedule takes a revision with --at, or --cancel alone")
            }
        }

        private static func show(_ one: ScheduleReport) {
            Output.print("\(one.id)  at \(one.at)  revision \(one.revision)  by \(one.by)")
        }
    }

    /// The command `behaviors rules`.
    struct Rules: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints or sets the approvals that an environment requires.",
            discussion: """
                Without an environment the command lists all of them. A change needs the scope \
                admin.
                """
        )

        @Argument(help: "The environment.")
        var environment: String?

        @Option("The number of people beside the author that must approve.", value: "number")
        var approvals: Int?

        @OptionGroup var server: ServerOptions

        func run() async throws {
            guard let environment else {
                guard approvals == nil else {
                    throw Failure.usage("--approvals needs an environment")
                }
                let all = try await server.ask { try await $0.send(ListEnvironments.self) }
                return all.forEach(Self.printSummary)
            }
            guard let approvals else {
                let rules = try await server.send(
                    GetEnvironment.self,
                    .init(environment: environment)
                )
                return Self.printSummary(rules)
            }
            let rules = EnvironmentReport(environment: environment, approvals: approvals)
            Self.printSummary(try await server.send(SetEnvironment.self, rules))
        }

        private static func printSummary(_ rules: EnvironmentReport) {
            Output.print("\(rules.environment)  approvals: \(rules.approvals)")
        }
    }
}
