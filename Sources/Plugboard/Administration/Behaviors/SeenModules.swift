/// The modules and functions of documents, joined.
package struct SeenModules: Sendable {
    /// A revision's modules with their functions, and its number of bytes.
    package struct Names: Sendable {
        package var functions: [String: Set<String>]
        package var size: Int

        package init(functions: [String: Set<String>], size: Int) {
            self.functions = functions
            self.size = size
        }

        /// The size in memory, about.
        var memory: Int {
            functions.reduce(0) { size, module in
                module.value.reduce(size + 128 + module.key.utf8.count) { $0 + 64 + $1.utf8.count }
            }
        }
    }

    /// The maximum number of documents.
    private static let maximumDocuments = 1_000
    /// The maximum size of all documents together: 64 MiB.
    private static let maximumSize = 64 << 20
    /// The maximum number of modules and functions.
    private static let maximumNames = 20_000

    /// Whether all documents were within the limits.
    package private(set) var isComplete = true
    private var functions: [String: Set<String>] = [:]
    private var documentCount = 0
    private var size = 0
    private var nameCount = 0

    /// Makes an empty value.
    package init() {}

    /// The modules, sorted by name.
    package var modules: [SeenModule] {
        functions.map { SeenModule(name: $0.key, functions: $0.value.sorted()) }
            .sorted { $0.name < $1.name }
    }

    /// Adds a revision's names.
    ///
    /// After the first revision beyond a limit it adds nothing.
    package mutating func add(_ names: Names) {
        guard isComplete else { return }
        documentCount += 1
        size += names.size
        guard documentCount <= Self.maximumDocuments, size <= Self.maximumSize else {
            return isComplete = false
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
