package import BehaviorStore

/// The modules and functions of documents, joined.
///
/// It reads only the revisions that weren't in the previous value's ``known``.
package struct SeenModules: Sendable {
    /// Identifies a revision: two with the same identity have the same bytes.
    package enum Identity: Hashable, Sendable {
        /// A served revision: its entity tag, which depends only on the bytes.
        case served(etag: String)
        /// A stored revision. The time when it went live tells it from one of an earlier history.
        case stored(DocumentKey, Int, since: Int?)
    }

    /// A revision's modules with their functions, and its number of bytes.
    package struct Names: Sendable {
        package var functions: [String: Set<String>]
        package var size: Int

        package init(functions: [String: Set<String>], size: Int) {
            self.functions = functions
            self.size = size
        }

        var count: Int { functions.reduce(functions.count) { $0 + $1.value.count } }
    }

    /// The maximum number of documents.
    private static let maximumDocuments = 1_000
    /// The maximum size of all documents together: 64 MiB.
    private static let maximumSize = 64 << 20
    /// The maximum number of modules and functions.
    private static let maximumNames = 20_000
    /// The maximum number of names in ``known``, which has each document's own.
    private static let maximumKnown = 200_000

    /// Whether all documents were within the limits.
    package private(set) var isComplete = true
    /// The names of the added revisions, for the next value.
    package private(set) var known: [Identity: Names] = [:]
    private let previous: [Identity: Names]
    private var knownCount = 0
    private var functions: [String: Set<String>] = [:]
    private var documentCount = 0
    private var size = 0
    private var nameCount = 0

    /// Makes an empty value.
    ///
    /// - Parameter previous: the ``known`` of the previous value.
    package init(after previous: [Identity: Names] = [:]) { self.previous = previous }

    /// The modules, sorted by name.
    package var modules: [SeenModule] {
        functions.map { SeenModule(name: $0.key, functions: $0.value.sorted()) }
            .sorted { $0.name < $1.name }
    }

    /// Adds a revision, and reads it if it isn't known.
    package mutating func add(
        _ identity: Identity,
        _ read: () async throws -> Names
    ) async throws {
        guard isComplete else { return }
        let seen = known[identity] ?? previous[identity]
        let names = if let seen { seen } else { try await read() }
        documentCount += 1
        size += names.size
        guard documentCount <= Self.maximumDocuments, size <= Self.maximumSize else {
            return isComplete = false
        }
        if known[identity] == nil, knownCount + names.count <= Self.maximumKnown {
            known[identity] = names
            knownCount += names.count
        }
        for (module, functions) in names.functions { add(module, functions) }
    }

    private mutating func add(_ module: String, _ added: Set<String>) {
        if functions[module] == nil { nameCount += 1 }
        let before = functions[module]?.count ?? 0
        functions[module, default: []].formUnion(added)
        nameCount += (functions[module]?.count ?? 0) - before
        if nameCount > Self.maximumNames { isComplete = false }
    }
}
