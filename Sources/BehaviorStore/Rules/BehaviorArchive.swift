import JSONCodec

/// All contents of a store as lines of JSON, for export and for import into an empty store.
///
/// Audit rows, revisions, documents and records are unchanged: numbers, times, authors, bytes and
/// hashes. The first line names the format. The last line proves that the archive is complete.
package struct BehaviorArchive: Sendable {
    /// The format's name in the first line.
    static let format = "plugboard-behaviors-1"
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

    /// The most findings in an error without a line.
    private static let maximumCount = 5

    /// Checks the contents against the audit's rows.
    ///
    /// - Throws: ``Invalid``.
    func check() async throws {
        let check = try await AuditCheck(ArchivedBehaviors(self))
        guard !check.findings.isEmpty else { return }
        var findings = check.findings.prefix(Self.maximumCount).joined(separator: "; ")
        let rest = check.findings.count - Self.maximumCount
        if rest > 0 { findings += "; and \(rest) more" }
        throw Invalid(reason: findings)
    }
}

/// A line of an archive: the format, one item, or the end.
struct ArchiveLine: Codable {
    var format: String?
    var document: DocumentForm?
    var record: RecordForm?
    var audit: AuditForm?
    var revision: RevisionForm?
    /// A revision's bytes: they are JSON and thus a text.
    var text: String?
    var end: ArchiveEnd?
}

/// The last line: the numbers of the items above it.
struct ArchiveEnd: Codable, Equatable {
    var rows: Int
    var revisions: Int
    var documents: Int
    var records: Int
    var hash: String
}

extension BehaviorDocuments {
    /// Exports the store's current state in pieces that are made on demand.
    package func export() async throws -> ArchivePieces {
        ArchivePieces(try await StoreSnapshot(backend), backend)
    }

    /// Imports an archive whole or not at all; the store has to be empty.
    ///
    /// The audit is the exported one, and no row is added: its last hash proves that it is
    /// complete.
    /// - Throws: ``BehaviorArchive/Invalid``, or ``BehaviorStoreError``, which is a conflict if the
    ///   store isn't empty.
    package func load(_ archive: BehaviorArchive, by author: Author) async throws {
        try await Task.detached { try await archive.check() }.value
        try await change(by: author) { [self] ledger in
            let count = try await backend.documents().count
            guard ledger.base == .none, count == 0 else {
                throw BehaviorStoreError.conflict(
                    "the store isn't empty: it has \(count) documents and \(ledger.base.sequence) rows "
                        + "of the audit; import into an empty store"
                )
            }
            ledger.load(archive)
        }
        note(
            "\(archive.documents.count) documents and \(archive.rows.count) rows of the audit were "
                + "imported by \(author.id)"
        )
    }
}
