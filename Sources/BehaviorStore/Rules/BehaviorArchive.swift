import JSONCodec

/// All that a store has, as lines of JSON: what is exported, and imported into a store that is empty.
///
/// Rows of the audit, revisions, documents and records are as they were: numbers, times, authors,
/// bytes and hashes. The first line says what it is, the last one that it is whole.
package struct BehaviorArchive: Sendable {
    /// Tells it from other JSON.
    static let format = "plugboard-behaviors-1"
    /// Its media type: bytes for another server, which generated clients keep as they are.
    package static let mediaType = "application/octet-stream"

    /// The rows of the audit.
    package internal(set) var rows: [AuditRow] = []
    /// The revisions, each document's in the order of their numbers.
    package internal(set) var revisions: [StoredRevision] = []
    /// The documents of all environments.
    package internal(set) var documents: [DocumentState] = []
    /// What is kept beside them.
    package internal(set) var records: [StoredRecord] = []

    init() {}

    /// Why a text is no archive, or not one that can be what was exported.
    package struct Invalid: Error, Equatable, CustomStringConvertible {
        /// The number of the line that is wrong; nil where none is alone.
        package var line: Int?
        /// Where in the line, as a JSON Pointer (RFC 6901) that goes on within a record's value;
        /// empty where it is none of its parts.
        package var pointer = ""
        /// What is wrong, in a sentence.
        package var reason: String

        /// The reason, with the line and the place in it.
        package var description: String {
            let place = pointer.isEmpty ? reason : "\(pointer): \(reason)"
            return line.map { "line \($0): \(place)" } ?? place
        }
    }

    /// The most bytes of the line that says that all is there.
    package static let greatestEnd = 512

    /// Whether a text's last bytes, ``greatestEnd`` of them or all, are those of a whole archive.
    package static func isWhole(_ end: some BidirectionalCollection<UInt8>) -> Bool {
        let newline = UInt8(ascii: "\n")
        guard end.last == newline else { return false }
        let lines = end.dropLast()
        guard let start = lines.lastIndex(of: newline) else { return false }
        let last = try? JSON.decode(ArchiveLine.self, from: lines[start...])
        return last?.end != nil
    }

    /// What has no line of its own, as far as it is told.
    private static let greatestCount = 5

    /// Holds all against the rows of the audit.
    ///
    /// - Throws: ``Invalid``.
    func check() async throws {
        let check = try await AuditCheck(ArchivedBehaviors(self))
        guard !check.findings.isEmpty else { return }
        var findings = check.findings.prefix(Self.greatestCount).joined(separator: "; ")
        let rest = check.findings.count - Self.greatestCount
        if rest > 0 { findings += "; and \(rest) more" }
        throw Invalid(reason: findings)
    }
}

/// A line of an archive: what it is, or one of the things that it holds.
struct ArchiveLine: Codable {
    var format: String?
    var document: DocumentForm?
    var record: RecordForm?
    var audit: AuditForm?
    var revision: RevisionForm?
    /// A revision's bytes, which are JSON and thus a text.
    var text: String?
    var end: ArchiveEnd?
}

/// The last line: how much there has to be above it.
struct ArchiveEnd: Codable, Equatable {
    var rows: Int
    var revisions: Int
    var documents: Int
    var records: Int
    var hash: String
}

extension BehaviorDocuments {
    /// All that there is, as it is now, in pieces that are made as they are asked for.
    package func export() async throws -> ArchivePieces {
        ArchivePieces(try await KeptSnapshot(keeping), keeping)
    }

    /// Keeps all that an archive has, or nothing; the store has to be empty.
    ///
    /// The audit is the one that was exported, and nothing is added to it: its last hash says that all
    /// of it is there.
    /// - Throws: ``BehaviorArchive/Invalid``, or ``BehaviorStoreError``, a conflict where something was
    ///   kept before.
    package func load(_ archive: BehaviorArchive, by author: Author) async throws {
        try await Task.detached { try await archive.check() }.value
        try await change(by: author) { [self] ledger in
            let count = try await keeping.documents().count
            guard ledger.base == .none, count == 0 else {
                throw BehaviorStoreError.conflict(
                    "the store isn't empty: it has \(count) documents, and \(ledger.base.sequence) rows "
                        + "of the audit; an archive is all that a store has"
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
