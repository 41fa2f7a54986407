import BehaviorStore
import HTTPSyntax
import HTTPServer

/// A loop's answers for the documents at `/behaviors/{name}.json`, and for the one at `/behaviors.json`
/// where there was none at the start.
struct NamedBehaviors {
    /// What stands before and behind a name.
    private static let prefix: StaticString = "/behaviors/"
    private static let suffix: StaticString = ".json"

    private let documents: LiveBehaviors
    private let tools: BehaviorsAnswer.Tools
    private var version: Int
    /// The documents in the order of their names' bytes.
    private var entries: [Entry] = []

    private struct Entry {
        let name: [UInt8]
        let live: LiveBehavior
        /// Made when the document is first asked for.
        var answer: BehaviorsAnswer?
    }

    init(_ documents: LiveBehaviors, _ tools: BehaviorsAnswer.Tools) {
        self.documents = documents
        self.tools = tools
        version = documents.version
        list()
    }

    /// Whether a path is one of them.
    mutating func has(_ path: ByteSpan) -> Bool { place(of: path) != nil }

    /// Answers a GET or HEAD of the document at a path; nil where there is none.
    mutating func answer(_ request: borrowing IncomingRequest, now: Int) -> Reply? {
        guard let place = place(of: request.head.path) else { return nil }
        if entries[place].answer == nil {
            entries[place].answer = BehaviorsAnswer(entries[place].live, tools)
        }
        return entries[place].answer?.answer(request, now: now)
    }

    /// Whether a path could be a document's.
    static func fits(_ path: ByteSpan) -> Bool { name(in: path) != nil }

    /// What stands where a name would in a path; nil where the path is another's.
    private static func name(in path: ByteSpan) -> ByteSpan? {
        let (start, end) = (prefix.utf8CodeUnitCount, suffix.utf8CodeUnitCount)
        guard path.count > start + end, path.slice(0, start).equals(prefix),
            path.slice(path.count - end, path.count).equals(suffix)
        else { return nil }
        return path.slice(start, path.count - end)
    }

    private mutating func place(of path: ByteSpan) -> Int? {
        if path.equals(BehaviorsAnswer.path) {
            refresh()
            return find(Self.standard)
        }
        // That one is at `/behaviors.json` alone.
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

    /// Finds a name by halves.
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

    /// Lists the documents anew; what is answered of those that stay is kept.
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
