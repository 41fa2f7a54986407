import BehaviorStore
package import Plug
package import PlugHTTP

/// What an environment asks for before something goes live in it.
package struct EnvironmentReport: Codable, Sendable, Equatable {
    /// The environment's name.
    package var environment: String
    /// How many others than its author have to approve of a draft.
    package var approvals: Int

    package init(environment: String, approvals: Int) {
        self.environment = environment
        self.approvals = approvals
    }
}

/// Lists the environments that there are: the one that is served, those that have documents, and those
/// that ask for something.
package class ListEnvironments: Action<Void, [EnvironmentReport]>, GET, Scoped {
    package static var path: String { "/environments" }
    package static var scopes: Scopes { .readBehaviors }
}

/// Tells what an environment asks for.
package class GetEnvironment: Action<GetEnvironment.Input, EnvironmentReport>, GET, Scoped {
    package struct Input: Codable, Sendable {
        /// The environment's name.
        package var environment: String

        package init(environment: String) { self.environment = environment }
    }

    package static var path: String { "/environments/{environment}" }
    package static var scopes: Scopes { .readBehaviors }
}

/// Has an environment ask for so many approvals from now on.
package class SetEnvironment: Action<EnvironmentReport, EnvironmentReport>, PUT, Scoped {
    package static var path: String { "/environments/{environment}" }
    package static var scopes: Scopes { .admin }
}

extension ExposedAction {
    /// The actions that are of environments, and of no document.
    static func environments(of documents: BehaviorDocuments) -> [ExposedAction] {
        [
            ExposedAction(own: ListEnvironments.self, .json(location: nil)) {
                try await documents.environments().map {
                    EnvironmentReport(environment: $0.name, approvals: $0.rules.approvals)
                }
            },
            ExposedAction(own: GetEnvironment.self, .json(location: nil)) {
                let environment = try documents.environment($0.environment)
                let rules = try await documents.rules(of: environment)
                return EnvironmentReport(environment: environment, approvals: rules.approvals)
            },
            ExposedAction(own: SetEnvironment.self, .json(location: nil)) { input, author in
                let environment = try documents.environment(input.environment)
                let rules = EnvironmentRules(approvals: input.approvals)
                try await documents.set(rules, of: environment, by: author)
                return input
            },
        ]
    }
}
