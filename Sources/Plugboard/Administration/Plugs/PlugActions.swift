import AdministrationStore
package import HTTPTypes
import Plug
package import PlugHTTP

/// An action's plug and its recent changes.
package struct PlugReport: Codable, Sendable, Equatable {
    /// The plug's plan and its statistics.
    package var plug: PlugState
    /// The changes, the newest first, at most twenty.
    package var changes: [PlugRecord]
    /// The plan's entity tag, which `ETag` contains.
    package var etag: String?
}

/// One change of an action's plug.
package struct PlugRecord: Codable, Sendable, Equatable {
    /// The action's name.
    package var action: String
    /// The time of the change, as `2026-11-22T08:00:00Z` (RFC 3339).
    package var at: String
    /// The author: a token's number, or `guard` if a candidate exceeded its limits.
    package var by: String
    /// The author's name, if given.
    package var byName: String?
    /// The previous plan.
    package var before: PlugPlan?
    /// The new plan; nil for the plug in the code.
    package var after: PlugPlan?
    /// The reason, if the plan changed itself.
    package var reason: String?
}

/// Lists the plugs of the exposed actions.
package class ListPlugs: Action<Void, [PlugState]>, GET, Scoped {
    package static var path: String { "/plugs" }
    package static var scopes: Scopes { .admin }
}

/// Returns an action's plug, its statistics and its recent changes.
package class GetPlug: Action<GetPlug.Input, PlugReport>, GET, Scoped {
    package struct Input: Codable, Sendable {
        /// The action's name.
        package var action: String

        package init(action: String) { self.action = action }
    }

    package static var path: String { "/plugs/{action}" }
    package static var scopes: Scopes { .admin }
    package static var responseFields: [String: HTTPField.Name] { .plan }
}

/// Sets a plan for an action; it outlasts restarts.
package class SetPlug: Action<SetPlug.Input, PlugReport>, PUT, Scoped {
    package struct Input: Codable, Sendable {
        /// The action's name.
        package var action: String
        /// The plan: a plug's name, or a layer around other plans.
        package var plan: PlugPlan
        /// `If-Match`: the expected plan's entity tag.
        package var ifMatch: String?
        /// `If-None-Match`: unexpected plans' entity tags.
        package var ifNoneMatch: String?

        package init(action: String, plan: PlugPlan, ifMatch: String? = nil) {
            self.action = action
            self.plan = plan
            self.ifMatch = ifMatch
        }
    }

    package static var path: String { "/plugs/{action}" }
    package static var scopes: Scopes { .admin }
    package static var fields: [String: HTTPField.Name] { .preconditions }
    package static var responseFields: [String: HTTPField.Name] { .plan }
}

/// Removes an action's plan and returns to the plug in the code.
package class ResetPlug: Action<ResetPlug.Input, PlugReport>, DELETE, Scoped {
    package struct Input: Codable, Sendable {
        /// The action's name.
        package var action: String
        /// `If-Match`: the expected plan's entity tag.
        package var ifMatch: String?
        /// `If-None-Match`: unexpected plans' entity tags.
        package var ifNoneMatch: String?

        package init(action: String, ifMatch: String? = nil) {
            self.action = action
            self.ifMatch = ifMatch
        }
    }

    package static var path: String { "/plugs/{action}" }
    package static var scopes: Scopes { .admin }
    package static var fields: [String: HTTPField.Name] { .preconditions }
    package static var responseFields: [String: HTTPField.Name] { .plan }
}

extension [String: HTTPField.Name] {
    /// The field of a report's entity tag.
    fileprivate static var plan: Self { ["etag": .eTag] }
}

extension ExposedAction {
    /// The administration actions for plugs.
    static func administration(of plugs: PlugAdministration) -> [ExposedAction] {
        [
            ExposedAction(own: ListPlugs.self, .json(location: nil)) { plugs.list() },
            ExposedAction(own: GetPlug.self, .json(fields: .plan)) {
                try await plugs.report(of: plugs.named($0.action))
            },
            ExposedAction(own: SetPlug.self, .json(fields: .plan)) { input, author in
                let action = try plugs.named(input.action)
                try await plugs.set(
                    input.plan,
                    for: action,
                    expecting: ExpectedPlan(input.ifMatch, input.ifNoneMatch),
                    by: AdministrationAuthor(author)
                )
                return try await plugs.report(of: action)
            },
            ExposedAction(own: ResetPlug.self, .json(fields: .plan)) { input, author in
                let action = try plugs.named(input.action)
                try await plugs.set(
                    nil,
                    for: action,
                    expecting: ExpectedPlan(input.ifMatch, input.ifNoneMatch),
                    by: AdministrationAuthor(author)
                )
                return try await plugs.report(of: action)
            },
        ]
    }
}
