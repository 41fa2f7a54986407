import BehaviorStore
import Behaviors
package import Plug
package import PlugHTTP
import Targeting

/// Lists the modules and functions of all live documents, and the environments.
///
/// `behaviors validate --url` compares a file with them.
package class ListModules: Action<Void, ListModules.Output>, GET, Scoped {
    package struct Output: Codable, Sendable, Equatable {
        /// The names of the served environment, of those with documents and of those with rules.
        package var environments: [String]
        /// The modules, sorted by name.
        package var modules: [SeenModule]
        /// Whether all live documents were read; false if they exceed the action's limits.
        package var isComplete: Bool

        package init(environments: [String], modules: [SeenModule], isComplete: Bool) {
            self.environments = environments
            self.modules = modules
            self.isComplete = isComplete
        }
    }

    package static var path: String { "/behaviors-modules" }
    package static var scopes: Scopes { .readBehaviors }
}

/// A module of the live documents.
package struct SeenModule: Codable, Sendable, Equatable {
    /// The module's name.
    package var name: String
    /// The names of the functions that documents call, sorted.
    package var functions: [String]

    package init(name: String, functions: [String]) {
        self.name = name
        self.functions = functions
    }
}

extension ExposedAction {
    /// The action that lists modules.
    static func modules(of live: LiveBehaviors, _ documents: BehaviorDocuments) -> [ExposedAction] {
        let names = RevisionMemory<SeenModules.Names>(size: \.memory)
        return [
            ExposedAction(own: ListModules.self, .json(location: nil), in: .reports) {
                let environments = try await documents.environments().map(\.name)
                // Detached: large documents take long to parse, and this is an event loop's thread.
                let seen = try await Task.detached {
                    var seen = SeenModules()
                    for (name, behavior) in live.all where seen.isComplete {
                        guard let revision = behavior.revision,
                            let key = DocumentKey(name, in: documents.environment)
                        else { continue }
                        seen.add(try await names.value(of: revision, at: key))
                    }
                    for state in try await documents.backend.documents()
                    where seen.isComplete && state.key.environment != documents.environment {
                        guard let live = state.live else { continue }
                        seen.add(try await names.value(of: live, in: state, of: documents))
                    }
                    return seen
                }.value
                return ListModules.Output(
                    environments: environments,
                    modules: seen.modules,
                    isComplete: seen.isComplete
                )
            }
        ]
    }
}

extension SeenModules.Names {
    fileprivate init(of document: BehaviorDocument, size: Int) {
        let functions = document.modules.reduce(into: [String: Set<String>]()) { names, module in
            names[module.name, default: []].formUnion(module.actions.map(\.function))
        }
        self.init(functions: functions, size: size)
    }
}

extension RevisionMemory<SeenModules.Names> {
    /// Returns the names of a served revision.
    fileprivate func value(
        of revision: BehaviorRevision,
        at key: DocumentKey
    ) async throws -> SeenModules.Names {
        try await value(of: .served(etag: revision.etag), at: key) {
            let document =
                try revision.variants?.behavior.document ?? BehaviorDocument(json: revision.bytes)
            return SeenModules.Names(of: document, size: revision.bytes.count)
        }
    }

    /// Returns the names of the live revision of a document that this server doesn't serve.
    fileprivate func value(
        of live: Int,
        in state: DocumentState,
        of documents: BehaviorDocuments
    ) async throws -> SeenModules.Names {
        try await value(of: .stored(live, since: state.since), at: state.key) {
            let bytes = try await documents.revision(live, of: state.key).bytes
            let document = try AuthoredBehavior(json: bytes).document
            return SeenModules.Names(of: document, size: bytes.count)
        }
    }
}
