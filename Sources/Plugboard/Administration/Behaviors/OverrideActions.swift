import BehaviorStore
import HTTPSyntax
package import JSONCodec
package import Plug
package import PlugHTTP

/// An environment's overrides of a document.
package struct OverridesReport: Codable, Sendable, Equatable {
    /// The document's name.
    package var name: String
    /// The environment.
    package var environment: String
    /// The operations that are applied to each promoted revision.
    package var patch: PatchDocument
    /// The author: a token's number.
    package var by: String
    /// The author's name, if given.
    package var byName: String?
    /// The time of the change, as `2026-11-22T08:00:00Z` (RFC 3339).
    package var since: String
}

/// Returns an environment's overrides of a document.
package class GetOverrides: Action<BehaviorID, OverridesReport>, GET, Scoped {
    package static var path: String { "/behaviors/{name}/overrides" }
    package static var scopes: Scopes { .readBehaviors }
}

/// Sets a JSON Patch that is applied to each revision promoted into an environment.
///
/// Existing revisions stay unchanged.
package class SetOverrides: Action<SetOverrides.Input, OverridesReport>, PUT, Scoped {
    package struct Input: Codable, Sendable {
        /// The document's name, which may not exist yet.
        package var name: String
        /// The environment; by default the served one.
        package var environment: String?
        /// Whether to create the environment if it doesn't exist.
        package var create: Bool?
        /// A JSON Patch (RFC 6902) of the whole document.
        package var patch: PatchDocument

        package init(name: String, patch: JSON, environment: String? = nil) {
            self.name = name
            self.environment = environment
            self.patch = PatchDocument(patch)
        }
    }

    package static var path: String { "/behaviors/{name}/overrides" }
    package static var scopes: Scopes { .writeBehaviors }
    package static var queried: [String] { ["environment", "create"] }
}

/// Removes an environment's overrides of a document.
package class RemoveOverrides: Action<BehaviorID, Void>, DELETE, Scoped {
    package static var path: String { "/behaviors/{name}/overrides" }
    package static var scopes: Scopes { .writeBehaviors }
}

extension ExposedAction {
    /// The actions for overrides.
    static func overriding(of documents: BehaviorDocuments) -> [ExposedAction] {
        [
            ExposedAction(own: GetOverrides.self, .json(location: nil)) { input in
                let key = try documents.key(input.name, input.environment)
                guard let overrides = try await documents.overrides(of: key) else {
                    throw Problem.noOverrides(of: key)
                }
                return OverridesReport(overrides, of: key)
            },
            ExposedAction(own: SetOverrides.self, .json(location: nil)) { input, author in
                let key = try documents.key(input.name, input.environment)
                return OverridesReport(
                    try await documents.override(
                        key,
                        with: input.patch.json,
                        mayCreate: input.create ?? false,
                        by: author
                    ),
                    of: key
                )
            },
            ExposedAction(own: RemoveOverrides.self, .nothing) { input, author in
                let key = try documents.key(input.name, input.environment)
                guard try await documents.removeOverrides(of: key, by: author) else {
                    throw Problem.noOverrides(of: key)
                }
            },
        ]
    }
}

extension Problem {
    fileprivate static func noOverrides(of key: DocumentKey) -> Problem {
        .notFound("there are no overrides of \(key)")
    }
}

extension OverridesReport {
    fileprivate init(_ overrides: BehaviorOverrides, of key: DocumentKey) {
        self.init(
            name: key.name,
            environment: key.environment,
            patch: PatchDocument(overrides.patch),
            by: overrides.by,
            byName: overrides.name.isEmpty ? nil : overrides.name,
            since: HTTPDate.timestamp(overrides.at)
        )
    }
}
