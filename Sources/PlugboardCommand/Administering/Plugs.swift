import ArgumentParser
import JSONCodec
import Plug
import Plugboard
import PlugboardClient

/// The command `plugs`.
struct Plugs: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plugs",
        abstract: "Shows and changes the plans of a running server's actions.",
        discussion: """
            A plan is the name of an implementation, or JSON such as \
            '{"split":{"default":90,"network":10}}'. The token needs the scope admin.
            """,
        subcommands: [List.self, Show.self, Set.self, Reset.self]
    )
}

extension Plugs {
    /// The command `plugs list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the actions' plans.")

        @OptionGroup var server: ServerOptions

        func run() async throws {
            let plugs = try await server.send(ListPlugs.self)
            for plug in plugs {
                let live = plug.isLive ? "  (live)" : ""
                Output.print("\(plug.action)  \(try Plugs.text(plug.plan))\(live)")
            }
        }
    }

    /// The command `plugs show`.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows an action's plan, its statistics and its last changes."
        )

        @Argument(help: "The action's name.")
        var action: String

        @OptionGroup var server: ServerOptions

        func run() async throws {
            try Plugs.show(await server.send(GetPlug.self, .init(action: action)))
        }
    }

    /// The command `plugs set`.
    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sets an action's plan. The server stores it for later starts."
        )

        @Argument(help: "The action's name.")
        var action: String

        @Argument(help: "An implementation's name, or a plan as JSON.")
        var plan: String

        @OptionGroup var server: ServerOptions

        func run() async throws {
            let plan: PlugPlan
            if self.plan.first == "{" || self.plan.first == "\"" {
                do {
                    plan = try JSON.decode(PlugPlan.self, from: self.plan.utf8)
                } catch {
                    throw Failure.usage("the plan isn't valid: \(error)")
                }
            } else {
                plan = .plug(self.plan)
            }
            try Plugs.show(await server.send(SetPlug.self, .init(action: action, plan: plan)))
        }
    }

    /// The command `plugs reset`.
    struct Reset: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Resets an action to the plan in the server's code."
        )

        @Argument(help: "The action's name.")
        var action: String

        @OptionGroup var server: ServerOptions

        func run() async throws {
            try Plugs.show(await server.send(ResetPlug.self, .init(action: action)))
        }
    }

    fileprivate static func text(_ plan: PlugPlan?) throws -> String {
        guard let plan else { return "nothing" }
        if case .plug(let name) = plan { return name }
        return String(decoding: try JSON.encode(plan), as: UTF8.self)
    }

    fileprivate static func show(_ report: PlugReport) throws {
        let plug = report.plug
        Output.print("\(plug.action)  \(try text(plug.plan))")
        if plug.isLive { Output.print("plan in the code: \(try text(plug.standard))") }
        for one in plug.implementations {
            Output.print(
                "  \(one.name): \(counted(one.calls, "call")), \(counted(one.errors, "error")), "
                    + "\(milliseconds(one.meanMilliseconds)) ms each, "
                    + "\(milliseconds(one.slowestMilliseconds)) ms at most"
            )
        }
        for shadow in plug.shadows {
            Output.print(
                "  shadow \(shadow.at): \(shadow.differences) of \(shadow.compared) outputs "
                    + "differed, \(counted(shadow.skipped, "call")) skipped"
            )
        }
        for breaker in plug.breakers {
            Output.print("  breaker \(breaker.at): \(breaker.state.rawValue)")
        }
        for cache in plug.caches {
            Output.print(
                "  cache \(cache.at): \(cache.hits) hits, \(cache.misses) misses, "
                    + "\(cache.entries) entries of \(cache.bytes) bytes"
            )
        }
        if let unplugged = plug.unplugged {
            Output.print("  \(unplugged.plug) was unplugged: \(unplugged.reason)")
        }
        for change in report.changes {
            let reason = change.reason.map { " (\($0))" } ?? ""
            let after = try change.after.map { try text($0) } ?? "the plan in the code"
            Output.print("  \(change.at)  \(change.byName ?? change.by): \(after)\(reason)")
        }
    }

    private static func milliseconds(_ value: Double) -> String {
        "\((value * 1000).rounded() / 1000)"
    }
}
