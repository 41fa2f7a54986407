import BehaviorStore
import HTTPSyntax
import HTTPServer

/// A loop's responses for the documents at `/behaviors/{name}.json`.
///
/// It also serves `/behaviors.json` if there was no such document at the start.
struct NamedBehaviors {
    /// The parts of a path before and after a name.
    private static let prefix: StaticString = "/behaviors/"
    private static let suffix: StaticString = ".json"

    private let documents: LiveBehaviors
    private let tools: BehaviorsResponse.Tools
    private var version: Int
    /// The documents, sorted by their names' bytes.
    private var entries: [Entry] = []

    private struct Entry {
        let name: [UInt8]
        let live: LiveBehavior
        /// Made at the document's first request.
        var answer: BehaviorsResponse?
    }

    init(_ documents: LiveBehaviors, _ tools: BehaviorsResponse.Tools) {
        self.documents = documents
        self.tools = tools
        version = documents.version
        list()
    }

    /// Whether there is a document at a path, or may be one.
    mutating func has(_ path: ByteSpan) -> Bool { place(of: path) != nil || isWithheld(path) }

    /// Responds to a GET or HEAD of the document at a path; nil for no document.
    mutating func answer(_ request: borrowing IncomingRequest, now: Int) -> Reply? {
        guard let place = place(of: request.head.path) else {
            return isWithheld(request.head.path) ? .now(BehaviorsResponse.unserved) : nil
        }
        if entries[place].answer == nil {
            entries[place].answer = BehaviorsResponse(entries[place].live, tools)
        }
        return entries[place].answer?.answer(request, now: now)
    }

    /// Whether a path has the form of a document's.
    static func fits(_ path: ByteSpan) -> Bool { name(in: path) != nil }

    /// Returns the name in a path; nil if the path has another form.
    private static func name(in path: ByteSpan) -> ByteSpan? {
        let (start, end) = (prefix.utf8CodeUnitCount, suffix.utf8CodeUnitCount)
        guard path.count > start + end, path.slice(0, start).equals(prefix),
            path.slice(path.count - end, path.count).equals(suffix)
        else { return nil }
        return path.slice(start, path.count - end)
    }

    /// Whether the store of a document at that path is still unavailable.
    private func isWithheld(_ path: ByteSpan) -> Bool {
        documents.areWithheld && (path.equals(BehaviorsResponse.path) || Self.fits(path))
    }

    private mutating func place(of path: ByteSpan) -> Int? {
        if path.equals(BehaviorsResponse.path) {
            refresh()
            return find(Self.standard)
        }
        // The default document is only at `/behaviors.json`.
        guard let name = Self.name(in: path), !name.elementsEqual(Self.standard) else { return nil }
        refresh()
        return find(name)
    }

    private static let standard = Array(LiveBehaviors.defaultName.utf8)

    private mutating func refresh() {
        guard documents.version != version else { return }
        version = documents.version
        list()
    }

    /// Finds a name by binary search.
    private func find(_ name: some Sequence<UInt8>) -> Int? {
        var (start, end) = (0, entries.count)
        while start < end {
            let middle = (start + end) / 2
            if entries[middle].name.lexicographicallyPrecedes(name) {
                start = middle + 1
            } else {
                end = middle
            }
        }
        guard start < entries.count, name.elementsEqual(entries[start].name) else { return nil }
        return start
    }

    /// Reloads the list of documents, and reuses the responses of unchanged ones.
    private mutating func list() {
        let known = Dictionary(
            entries.map { (ObjectIdentifier($0.live), $0.answer) },
            uniquingKeysWith: { one, _ in one }
        )
        entries = documents.all.map { name, live in
            let answer = known[ObjectIdentifier(live)] ?? nil
            return Entry(name: Array(name.utf8), live: live, answer: answer)
        }
    }
}
