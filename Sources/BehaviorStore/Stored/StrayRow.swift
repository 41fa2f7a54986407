import JSONCodec

/// A part of a database that no query reads unchanged; only another program can have written it.
package enum StrayRow: CustomStringConvertible {
    /// A document whose name or environment is no valid name.
    case document(String, in: String)
    /// A revision of a document that doesn't exist, or with the greatest number, which no query
    /// reads.
    case revision(Int, of: String, in: String)
    /// The audit row with the smallest number, which no query reads.
    case row
    /// A record of an unknown kind.
    case record(String)
    /// Values of another type than their column's, or texts with a NUL.
    ///
    /// Some readers end such a text at the NUL and others don't.
    case values(Int, column: String)
    /// A table, view, trigger or index that differs from the schema or is not in it, and how.
    case part(String, String)

    /// The most findings of each kind.
    static let maximumCount = 25

    /// Returns the unknown kinds of records among those that are stored.
    static func records(_ kinds: [String]) -> [StrayRow] {
        kinds.filter { RecordKind(rawValue: $0) == nil }.prefix(maximumCount).map(StrayRow.record)
    }

    /// For example `revision 2 of "checkout" in "staging" belongs to no document`.
    package var description: String {
        func quoted(_ text: String) -> String { JSON.string(text).description }
        return switch self {
        case .document(let name, let environment):
            "\(quoted(name)) in \(quoted(environment)) can't be a document"
        case .revision(let number, let name, let environment):
            "revision \(number) of \(quoted(name)) in \(quoted(environment)) belongs to no document"
        case .row: "row \(Int.min) was inserted: the first one is row 1"
        case .record(let kind): "unknown kind of record \(quoted(kind))"
        case .part(let name, let how): "\(name) \(how)"
        case .values(let count, let column):
            "\(column) has \(count == 1 ? "an invalid value" : "\(count) invalid values")"
        }
    }
}
