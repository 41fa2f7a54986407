import BehaviorStore
package import Plug
package import PlugHTTP

/// An environment and its rules.
package struct EnvironmentReport: Codable, Sendable, Equatable {
    /// The environment's name.
    package var environment: String
    /// The number of approvals that a draft needs from callers other than its author.
    package var approvals: Int
    /// The number of its documents.
    package var documents: Int
    /// Whether the server serves it.
    package var served: Bool
}

/// An environment's name.
package struct EnvironmentID: Codable, Sendable {
    /// The environment's name.
    package var environment: String

    package init(environment: String) { self.environment = environment }
}

/// Lists the served environment, those with documents and those with rules.
package class ListEnvironments: Action<Void, [EnvironmentReport]>, GET, Scoped {
    package static var path: String { "/environments" }
    package static var scopes: Scopes { .readBehaviors }
}

/// Returns an environment's rules.
package class GetEnvironment: Action<EnvironmentID, EnvironmentReport>, GET, Scoped {
    package static var path: String { "/environments/{environment}" }
    package static var scopes: Scopes { .readBehaviors }
}

/// Sets the number of approvals that an environment requires, or declares an environment.
package class SetEnvironment: Action<SetEnvironment.Input, EnvironmentReport>, PUT, Scoped {
    package struct Input: Codable, Sendable {
        /// The environment's name.
        package var environment: String
        /// The number of approvals that a draft needs from callers other than its author.
        package var approvals: Int
        /// Whether to create the environment if it doesn't exist.
        package var create: Bool?

        package init(environment: String, approvals: Int) {
            self.environment = environment
            self.approvals = approvals
        }
    }

    package static var path: String { "/environments/{environment}" }
    package static var scopes: Scopes { .admin }
    package static var queried: [String] { ["create"] }
}

/// Removes an environment without documents and overrides.
package class RemoveEnvironment: Action<EnvironmentID, Void>, DELETE, Scoped {
    package static var path: String { "/environments/{environment}" }
    package static var scopes: Scopes { .admin }
}

/// Renames an environment without documents and overrides; its rules stay.
package class RenameEnvironment: Action<RenameEnvironment.Input, EnvironmentReport>, POST, Scoped {
    package struct Input: Codable, Sendable {
        /// The environment's name.
        package var environment: String
        /// The new name.
        package var to: String

        package init(environment: String, to: String) {
            self.environment = environment
            self.to = to
        }
    }

    package static var path: String { "/environments/{environment}/rename" }
    package static var scopes: Scopes { .admin }
}

extension ExposedAction {
    /// The actions for environments.
    static func environments(of documents: BehaviorDocuments) -> [ExposedAction] {
        [
            ExposedAction(own: ListEnvironments.self, .json(location: nil)) {
                try await documents.environments().map(EnvironmentReport.init)
            },
            ExposedAction(own: GetEnvironment.self, .json(location: nil)) {
                let environment = try documents.environment($0.environment)
                return EnvironmentReport(try await documents.knownEnvironment(environment))
            },
            ExposedAction(own: SetEnvironment.self, .json(location: nil)) { input, author in
                let environment = try documents.environment(input.environment)
                try await documents.set(
                    EnvironmentRules(approvals: input.approvals),
                    of: environment,
                    mayCreate: input.create ?? false,
                    by: author
                )
                return EnvironmentReport(try await documents.knownEnvironment(environment))
            },
            ExposedAction(own: RemoveEnvironment.self, .nothing) { input, author in
                let environment = try documents.environment(input.environment)
                try await documents.removeEnvironment(environment, by: author)
            },
            ExposedAction(own: RenameEnvironment.self, .json(location: nil)) { input, author in
                EnvironmentReport(
                    try await documents.renameEnvironment(
                        documents.environment(input.environment),
                        to: documents.environment(input.to, named: "to"),
                        by: author
                    )
                )
            },
        ]
    }
}

extension EnvironmentReport {
    init(_ known: KnownEnvironment) {
        self.init(
            environment: known.name,
            approvals: known.rules.approvals,
            documents: known.documents,
            served: known.isServed
        )
    }
}
