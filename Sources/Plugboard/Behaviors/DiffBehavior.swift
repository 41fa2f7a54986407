import Authoring
import BehaviorStore
import Behaviors
package import JSONPatch
package import Plug
package import PlugHTTP

/// Tells what has changed from one revision of a document to another, of one environment or of two.
package class DiffBehavior: Action<DiffBehavior.Input, DiffBehavior.Output>, GET, Scoped {
    package struct Input: Codable, Sendable {
        /// The document's name.
        package var name: String
        /// The old revision; what is live where no number is given.
        package var from: Int?
        /// The new revision; what is live where no number is given.
        package var to: Int?
        /// The environment; the one that is served where none is named.
        package var environment: String?
        /// The environment of the old revision; the new one's where none is named.
        package var fromEnvironment: String?

        package init(name: String) { self.name = name }
    }

    package struct Output: Codable, Sendable {
        /// The old revision.
        package var from: Side
        /// The new revision.
        package var to: Side
        /// What has changed in a person's words, a line for each change.
        package var changes: [String]
        /// The patch that makes the new document of the old one.
        package var patch: Patch
    }

    /// One of the two that are compared.
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
    /// The action by which revisions are compared.
    static func comparing(of documents: BehaviorDocuments) -> [ExposedAction] {
        [
            ExposedAction(own: DiffBehavior.self, .json(location: nil)) { input in
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
                // Detached: large ones take their time, and this is an event loop's thread.
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
