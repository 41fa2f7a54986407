import Authoring
import BehaviorStore
import Behaviors
package import JSONPatch
package import Plug
package import PlugHTTP

/// Compares two revisions of a document, in one environment or in two.
package class DiffBehavior: Action<DiffBehavior.Input, DiffBehavior.Output>, GET, Scoped {
    package struct Input: Codable, Sendable {
        /// The document's name.
        package var name: String
        /// The old revision; by default the live one.
        package var from: Int?
        /// The new revision; by default the live one.
        package var to: Int?
        /// The environment; by default the served one.
        package var environment: String?
        /// The old revision's environment; by default the new one's.
        package var fromEnvironment: String?

        package init(name: String) { self.name = name }
    }

    package struct Output: Codable, Sendable {
        /// The old revision.
        package var from: Side
        /// The new revision.
        package var to: Side
        /// The changes in plain words, one line each.
        package var changes: [String]
        /// The patch from the old document to the new one.
        package var patch: Patch
    }

    /// One side of a comparison.
    package struct Side: Codable, Sendable, Equatable {
        /// The environment.
        package var environment: String
        /// The revision's number.
        package var revision: Int
    }

    package static var path: String { "/behaviors/{name}/diff" }
    package static var scopes: Scopes { .readBehaviors }
}

extension ExposedAction {
    /// The action that compares revisions.
    static func comparing(of documents: BehaviorDocuments) -> [ExposedAction] {
        [
            ExposedAction(own: DiffBehavior.self, .json(location: nil), in: .reports) { input in
                let key = try documents.key(input.name, input.environment)
                let source = try documents.key(
                    input.name,
                    documents.environment(
                        input.fromEnvironment ?? input.environment,
                        named: "fromEnvironment"
                    )
                )
                let old = try await documents.revision(input.from, of: source)
                let new = try await documents.revision(input.to, of: key)
                // Detached: large documents take long, and this is an event loop's thread.
                let difference = try await Task.detached {
                    BehaviorDifference(
                        from: try AuthoredBehavior(json: old.bytes),
                        to: try AuthoredBehavior(json: new.bytes)
                    )
                }.value
                return DiffBehavior.Output(
                    from: DiffBehavior.Side(old.info),
                    to: DiffBehavior.Side(new.info),
                    changes: difference.lines,
                    patch: difference.patch
                )
            }
        ]
    }
}

extension DiffBehavior.Side {
    fileprivate init(_ info: RevisionInfo) {
        self.init(environment: info.key.environment, revision: info.number)
    }
}
