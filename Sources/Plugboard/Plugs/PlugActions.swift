import Plug
import PlugHTTP

/// What an action is wired to, and what was changed about it.
package struct PlugReport: Codable, Sendable, Equatable {
    /// How it is, and how it fares.
    package var plug: PlugState
    /// The changes, the newest first, twenty at most.
    package var changes: [PlugRecord]
}

/// One change of what an action is wired to.
package struct PlugRecord: Codable, Sendable, Equatable {
    /// The action's name.
    package var action: String
    /// When it was made, as `2026-11-22T08:00:00Z` (RFC 3339).
    package var at: String
    /// Who made it: a token's number, or `guard` where a candidate went beyond its bounds.
    package var by: String
    /// The plan before it.
    package var before: PlugPlan?
    /// The plan after it; nil for what the code says.
    package var after: PlugPlan?
    /// Why it was made, where it was made by itself.
    package var reason: String?
}

/// Lists what the exposed actions are wired to.
package class ListPlugs: Action<Void, [PlugState]>, GET, Scoped {
    package static var path: String { "/plugs" }
    package static var scopes: Scopes { .admin }
}

/// Tells what an action is wired to, how that fares, and what was changed about it.
package class GetPlug: Action<GetPlug.Input, PlugReport>, GET, Scoped {
    package struct Input: Codable, Sendable {
        /// The action's name.
        package var action: String

        package init(action: String) { self.action = action }
    }

    package static var path: String { "/plugs/{action}" }
    package static var scopes: Scopes { .admin }
}

/// Has an action's calls go through a plan from now on, after a restart too.
package class SetPlug: Action<SetPlug.Input, PlugReport>, PUT, Scoped {
    package struct Input: Codable, Sendable {
        /// The action's name.
        package var action: String
        /// The plan: a name, or a layer around others.
        package var plan: PlugPlan

        package init(action: String, plan: PlugPlan) {
            self.action = action
            self.plan = plan
        }
    }

    package static var path: String { "/plugs/{action}" }
    package static var scopes: Scopes { .admin }
}

/// Has an action's calls go through what the code says again.
package class ResetPlug: Action<GetPlug.Input, PlugReport>, DELETE, Scoped {
    package static var path: String { "/plugs/{action}" }
    package static var scopes: Scopes { .admin }
}

extension ExposedAction {
    /// The actions by which a server's plugs are looked at and changed.
    static func administration(of plugs: PlugAdministration) -> [ExposedAction] {
        [
            ExposedAction(own: ListPlugs.self, .json(location: nil)) { plugs.list() },
            ExposedAction(own: GetPlug.self, .json(location: nil)) {
                try await plugs.report(of: plugs.named($0.action))
            },
            ExposedAction(own: SetPlug.self, .json(location: nil)) { input in
                let action = try plugs.named(input.action)
                try await plugs.set(input.plan, for: action)
                return try await plugs.report(of: action)
            },
            ExposedAction(own: ResetPlug.self, .json(location: nil)) { input in
                let action = try plugs.named(input.action)
                try await plugs.set(nil, for: action)
                return try await plugs.report(of: action)
            },
        ]
    }
}
