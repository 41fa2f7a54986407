import JSONCodec

/// What a database has that nothing reads, or not as it stands: only another program can have written
/// it.
enum StrayRow: CustomStringConvertible {
    /// A document whose name, or whose environment's, is none.
    case document(String, in: String)
    /// A revision of a document that isn't there, or one beyond all numbers that are read.
    case revision(Int, of: String, in: String)
    /// The row of the audit below all numbers that are read.
    case row
    /// A record of a kind that there isn't.
    case record(String)
    /// Values that aren't of their column's type, or texts with a NUL, which end before it for some
    /// readers and not for others.
    case values(Int, column: String)
    /// A table, a view, a trigger or an index that is another than was made, or that none made, and how.
    case part(String, String)

    /// The most that are told of each.
    static let greatestCount = 25

    /// The kinds of records that there aren't, of those that are kept.
    static func records(_ kinds: [String]) -> [StrayRow] {
        kinds.filter { RecordKind(rawValue: $0) == nil }.prefix(greatestCount).map(StrayRow.record)
    }

    /// `revision 2 of "checkout" in "staging" is of no document`, for people.
    var description: String {
        func quoted(_ text: String) -> String { JSON.string(text).line }
        return switch self {
        case .document(let name, let environment):
            "\(quoted(name)) in \(quoted(environment)) can't be a document"
        case .revision(let number, let name, let environment):
            "revision \(number) of \(quoted(name)) in \(quoted(environment)) is of no document"
        case .row: "row \(Int.min) was inserted: the first one is row 1"
        case .record(let kind): "there is no kind of record \(quoted(kind))"
        case .part(let name, let how): "\(name) \(how)"
        case .values(let count, let column):
            "\(column) has \(count == 1 ? "a value" : "\(count) values") that can't have been put"
        }
    }
}
