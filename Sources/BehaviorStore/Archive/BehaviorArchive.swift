import JSONCodec

/// All contents of a store as lines of JSON, for export and for import into an empty store.
///
/// Audit rows, revisions, documents and records are unchanged: numbers, times, authors, bytes and
/// hashes. The first line names the format. The last line proves that the archive is complete.
package struct BehaviorArchive: Sendable {
    /// The format's name in the first line.
    static let format = formats + "1"
    /// The beginning of the formats' names in all versions.
    static let formats = "plugboard-behaviors-"
    /// The media type: binary data, which generated clients don't decode.
    package static let mediaType = "application/octet-stream"

    /// The rows of the audit.
    package internal(set) var rows: [AuditRow] = []
    /// The revisions, those of each document in the order of their numbers.
    package internal(set) var revisions: [StoredRevision] = []
    /// The documents of all environments.
    package internal(set) var documents: [DocumentState] = []
    /// The records.
    package internal(set) var records: [StoredRecord] = []

    init() {}

    /// The error for an invalid archive.
    package struct Invalid: Error, Equatable, CustomStringConvertible {
        /// The number of the invalid line; nil if no single line is invalid.
        package var line: Int?
        /// The place in the line, as a JSON Pointer (RFC 6901) that continues into a record's
        /// value.
        ///
        /// Empty if the error has no place.
        package var pointer = ""
        /// The reason, in a sentence.
        package var reason: String

        /// The reason, with the line and the place in it.
        package var description: String {
            let place = pointer.isEmpty ? reason : "\(pointer): \(reason)"
            return line.map { "line \($0): \(place)" } ?? place
        }
    }

    /// The most bytes of the last line.
    package static let maximumEnd = 512

    /// Whether a text's last ``maximumEnd`` bytes, or all of them, are the end of a complete
    /// archive.
    package static func isWhole(_ end: some BidirectionalCollection<UInt8>) -> Bool {
        let newline = UInt8(ascii: "\n")
        guard end.last == newline else { return false }
        let lines = end.dropLast()
        guard let start = lines.lastIndex(of: newline) else { return false }
        let last = try? JSON.decode(ArchiveLine.self, from: lines[start...])
        return last?.end != nil
    }

    /// The contents as one change of an empty store.
    var contents: BehaviorChange {
        var change = BehaviorChange(audit: rows)
        change.revisions = revisions
        change.documents = documents
        change.records = records.map { ($0.key, $0.value) }
        return change
    }
}
