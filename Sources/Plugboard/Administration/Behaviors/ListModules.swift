import BehaviorStore
import Behaviors
import Locking
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
        let known = Locked<[SeenModules.Identity: SeenModules.Names]>([:])
        return [
            ExposedAction(own: ListModules.self, .json(location: nil)) {
                let environments = try await documents.environments().map(\.name)
                // Detached: large documents take long to parse, and this is an event loop's thread.
                let seen = try await Task.detached {
                    var seen = SeenModules(after: known.withLock { $0 })
                    for revision in live.all.compactMap(\.live.revision) {
                        try await seen.add(revision)
                    }
                    for state in try await documents.backend.documents()
                    where state.key.environment != documents.environment {
                        try await seen.add(state, of: documents)
                    }
                    return seen
                }.value
                known.withLock { $0 = seen.known }
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

extension SeenModules {
    /// Adds a served revision.
    fileprivate mutating func add(_ revision: BehaviorRevision) async throws {
        try await add(.served(etag: revision.etag)) {
            let document =
                try revision.variants?.behavior.document ?? BehaviorDocument(json: revision.bytes)
            return Names(of: document, size: revision.bytes.count)
        }
    }

    /// Adds the live revision of a document that this server doesn't serve.
    fileprivate mutating func add(
        _ state: DocumentState,
        of documents: BehaviorDocuments
    ) async throws {
        guard let live = state.live else { return }
        try await add(.stored(state.key, live, since: state.since)) {
            let bytes = try await documents.revision(live, of: state.key).bytes
            return Names(of: try AuthoredBehavior(json: bytes).document, size: bytes.count)
        }
    }
}
