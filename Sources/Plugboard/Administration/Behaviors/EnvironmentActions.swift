import BehaviorStore
package import Plug
package import PlugHTTP

/// An environment and its rules.
package struct EnvironmentReport: Codable, Sendable, Equatable {
    /// The environment's name.
    package var environment: String
    /// The number of approvals that a draft needs from callers other than its author.
    package var approvals: Int

    package init(environment: String, approvals: Int) {
        self.environment = environment
        self.approvals = approvals
    }
}

/// Lists the served environment, those with documents and those with rules.
package class ListEnvironments: Action<Void, [EnvironmentReport]>, GET, Scoped {
    package static var path: String { "/environments" }
    package static var scopes: Scopes { .readBehaviors }
}

/// Returns an environment's rules.
package class GetEnvironment: Action<GetEnvironment.Input, EnvironmentReport>, GET, Scoped {
    package struct Input: Codable, Sendable {
        /// The environment's name.
        package var environment: String

        package init(environment: String) { self.environment = environment }
    }

    package static var path: String { "/environments/{environment}" }
    package static var scopes: Scopes { .readBehaviors }
}

/// Sets the number of approvals that an environment requires.
package class SetEnvironment: Action<EnvironmentReport, EnvironmentReport>, PUT, Scoped {
    package static var path: String { "/environments/{environment}" }
    package static var scopes: Scopes { .admin }
}

extension ExposedAction {
    /// The actions for environments.
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
