import Plug
import PlugHTTP

/// A scope of a server.
package struct ScopeInfo: Codable, Sendable, Equatable {
    /// The scope's name.
    package var name: String
    /// A sentence about its permissions.
    package var description: String
    /// The names of the actions that need it, sorted.
    package var actions: [String]
    /// The other scopes that it implies, sorted.
    package var implies: [String]
}

/// Lists the scopes that tokens can have.
///
/// Everybody may read them: `/openapi.json` has the same names.
package class ListScopes: Action<Void, [ScopeInfo]>, GET {
    package static var path: String { "/scopes" }
}

extension ExposedAction {
    /// The action that lists a server's scopes.
    ///
    /// `actions` are those that need one; `own` are the server's.
    static func scopes(
        _ declared: Scopes,
        _ implied: ImpliedScopes,
        of actions: [ExposedAction]
    ) -> ExposedAction {
        var needed: [String: [String]] = [:]
        for action in actions {
            for scope in action.declarations.scopes?.names ?? [] {
                needed[scope, default: []].append(action.name)
            }
        }
        let list = declared.names.sorted().map { name in
            let actions = (needed[name] ?? []).sorted()
            let all = implied.expand(Caller(id: name, scopes: Scopes([name]))).scopes.names
            return ScopeInfo(
                name: name,
                description: ScopeInfo.sentence(name, actions),
                actions: actions,
                implies: all.filter { $0 != name }.sorted()
            )
        }
        return ExposedAction(
            own: ListScopes.self,
            Declarations(),
            .nothing(rejectsUnknown: true),
            .json(location: nil),
            reading: { _ in () }
        ) { _, _ in list }
    }
}

extension ScopeInfo {
    /// The sentences about the scopes of the server's own actions.
    private static let sentences = [
        "admin": "Administer the server: tokens, plugs, behaviors and the audit.",
        "audit:read": "Read and verify the audit: the authors, times and addresses of changes.",
        "behaviors:approve": "Approve drafts of behavior documents.",
        "behaviors:read": "Read drafts, revisions and targeting explanations.",
        "behaviors:write": "Write, publish, promote and roll back behavior documents.",
    ]

    /// A sentence about a scope; about one of the application, by the actions that need it.
    fileprivate static func sentence(_ name: String, _ actions: [String]) -> String {
        if let sentence = sentences[name] { return sentence }
        guard let last = actions.last else { return "No action needs it by itself." }
        let others = actions.dropLast()
        return "Call " + (others.isEmpty ? "" : others.joined(separator: ", ") + " and ") + last
            + "."
    }
}
