import BehaviorStore
import HTTPSyntax
package import JSONCodec
package import Plug
package import PlugHTTP

/// What an environment has otherwise than those that a document is promoted from.
package struct OverridesReport: Codable, Sendable, Equatable {
    /// The document's name.
    package var name: String
    /// The environment.
    package var environment: String
    /// The operations that are laid over what is promoted into it.
    package var patch: PatchDocument
    /// Who wants it: a token's number.
    package var by: String
    /// Their name, where one was given.
    package var byName: String?
    /// Since when, as `2026-11-22T08:00:00Z` (RFC 3339).
    package var since: String
}

/// Tells what an environment lays over what is promoted of a document into it.
package class GetOverrides: Action<BehaviorID, OverridesReport>, GET, Scoped {
    package static var path: String { "/behaviors/{name}/overrides" }
    package static var scopes: Scopes { .readBehaviors }
}

/// Has an environment lay a JSON Patch over what is promoted of a document into it, from now on.
///
/// What is there already stays as it is: what is live, and drafts.
package class SetOverrides: Action<SetOverrides.Input, OverridesReport>, PUT, Scoped {
    package struct Input: Codable, Sendable {
        /// The document's name, which needn't be there yet.
        package var name: String
        /// The environment; the one that is served where none is named.
        package var environment: String?
        /// A JSON Patch (RFC 6902), for the document as a whole.
        package var patch: PatchDocument

        package init(name: String, patch: JSON, environment: String? = nil) {
            self.name = name
            self.environment = environment
            self.patch = PatchDocument(patch)
        }
    }

    package static var path: String { "/behaviors/{name}/overrides" }
    package static var scopes: Scopes { .writeBehaviors }
    package static var queried: [String] { ["environment"] }
}

/// Has an environment lay nothing over what is promoted of a document into it.
package class RemoveOverrides: Action<BehaviorID, Void>, DELETE, Scoped {
    package static var path: String { "/behaviors/{name}/overrides" }
    package static var scopes: Scopes { .writeBehaviors }
}

extension ExposedAction {
    /// The actions by which environments differ.
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
                    try await documents.override(key, with: input.patch.json, by: author),
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
