/// The list of stored documents, the latest first: a value without files.
struct StoredDocuments: Hashable, Sendable, Codable {
    struct Entry: Hashable, Sendable, Codable {
        /// The digest of the bytes.
        var revision: String
        /// The digest of the context that the server evaluated.
        var context: String
        /// The server's entity tag; nil if it sent none.
        var tag: String?
        /// The number of the document's file.
        var file: Int
    }

    /// The most documents of all contexts.
    static let maximumCount = 8
    /// The most documents of a context: the newest, and one to fall back to.
    static let maximumContextCount = 3

    private(set) var entries: [Entry] = []

    /// Returns the documents of a context, the latest first.
    func entries(for context: String) -> [Entry] { entries.filter { $0.context == context } }

    /// Returns the file for a new document, which no listed document has.
    var freeFile: Int {
        let used = Set(entries.map(\.file))
        return (0...Self.maximumCount).first { !used.contains($0) } ?? 0
    }

    /// Adds a document as the latest; removes the least useful ones beyond the limits.
    ///
    /// A revision that survived a run is the most useful one to fall back to.
    mutating func add(_ entry: Entry, isSurvivor: (String) -> Bool) {
        entries.removeAll { $0.context == entry.context && $0.revision == entry.revision }
        entries.insert(entry, at: 0)
        let own = entries(for: entry.context)
        if own.count > Self.maximumContextCount {
            // The latest survivor among the earlier ones stays; else the oldest leaves.
            let survivor = own.dropFirst().first { isSurvivor($0.revision) }
            let leaving = own.dropFirst().last { $0 != survivor }
            entries.removeAll { $0 == leaving }
        }
        if entries.count > Self.maximumCount { entries.removeLast() }
    }

    /// Changes the tag of a context's latest document.
    mutating func setTag(_ tag: String?, of revision: String, context: String) {
        guard
            let place = entries.firstIndex(where: {
                $0.context == context && $0.revision == revision
            })
        else { return }
        entries[place].tag = tag
    }

    /// Removes the documents whose files are missing or damaged.
    mutating func remove(file: Int) { entries.removeAll { $0.file == file } }
}
