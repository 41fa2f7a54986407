import System
import Glibc
import JSONCodec

/// The current state of a folder's documents: the sum of the changes in its `.history`.
///
/// A change is a file, named by the place of its first audit row. It is written atomically after
/// the bytes of its revisions. The change is complete once the file exists, and no file is written
/// twice. Everything but the bytes is in memory: a folder is for thousands of changes, not for
/// millions.
struct DirectoryHistory {
    private(set) var head = AuditHead.none
    private(set) var documents: [DocumentKey: DocumentState] = [:]
    /// A document's revisions, the oldest first.
    private(set) var revisions: [DocumentKey: [RevisionInfo]] = [:]
    private(set) var records: [RecordKey: String] = [:]
    /// Whether an edited file has a row with the smallest integer, which no query reads.
    private(set) var hasRowBelowAll = false
    /// The change files by the place of their first audit row, in order.
    private(set) var files: [Int] = []
    /// The change files with audit rows of a document, in order.
    private var filesByDocument: [DocumentKey: [Int]] = [:]
    /// The last file's stamp, which distinguishes it from another one of the same name.
    private var lastStamp: FileStamp?
    /// The places of missing change files before existing ones.
    private var gaps: [Int] = []
    /// Whether it replaced another history; the store's `settle()` resets it.
    var isAnother = false
    /// The documents whose live files may be outdated, with the digests that the files may have.
    var unwritten: [DocumentKey: Set<String>] = [:]

    let folder: String

    /// A cache of the audit's files.
    private let audited: AuditFileCache

    /// Makes an empty history for that folder's `.history`.
    init(of folder: String, reading audited: AuditFileCache) {
        self.folder = folder + "/.history"
        self.audited = audited
    }

    /// Returns the path of a revision's bytes.
    func path(_ number: Int, of key: DocumentKey) -> String {
        "\(folder)/\(key.environment)/\(key.name)/\(number).json"
    }

    /// Returns the path of the change whose first audit row has that place.
    ///
    /// Names sort by place up to a hundred million.
    func path(ofChange sequence: Int) -> String { "\(folder)/" + name(ofChange: sequence) }

    private func name(ofChange sequence: Int) -> String {
        let digits = String(sequence)
        return String(repeating: "0", count: max(0, 8 - digits.count)) + digits + ".json"
    }

    // MARK: Reading

    /// Reads the changes that were written since the last call.
    ///
    /// - Throws: also if the folder is missing: that is not another history.
    mutating func refresh() throws {
        if isReplaced {
            if isAway { throw FileError(folder, because: "its changes are missing") }
            // Another history has replaced this one, and its change files contain all of it. The
            // live files may still be those of the previous history, which are no edits.
            var other = DirectoryHistory(folder: folder, audited)
            for (key, state) in documents {
                let live = state.live.flatMap { revision($0, of: key) }
                other.unwritten[key] = live.map { [$0.digest] }
            }
            other.isAnother = true
            self = other
        }
        guard files.isEmpty || DurableFiles.exists(path(ofChange: head.sequence &+ 1)) else {
            return
        }
        // A missing change file is left to the audit check: the other files are valid.
        for sequence in try news() {
            // The stamp comes first: a write during the read then shows as a different stamp.
            let stamp = DurableFiles.stamp(path(ofChange: sequence))
            if let change = try change(sequence) { add(change, sequence, stamp) }
        }
    }

    /// Returns the places of the change files after the last one that was read.
    private func news() throws -> [Int] {
        let known = files.last ?? 0
        return try DurableFiles.names(in: folder).compactMap(place).filter { $0 > known }.sorted()
    }

    /// Returns the place that a change file's name encodes; nil for another file.
    ///
    /// Only the canonical name counts, so that no change has two files.
    private func place(_ name: String) -> Int? {
        Int(name.prefix { $0 != "." }).flatMap { self.name(ofChange: $0) == name ? $0 : nil }
    }

    /// Whether all change files disappeared: the folder was moved or unmounted, or a person has
    /// deleted them.
    var isAway: Bool {
        guard let last = files.last, !DurableFiles.exists(path(ofChange: last)) else {
            return false
        }
        return ((try? DurableFiles.names(in: folder)) ?? []).allSatisfy { place($0) == nil }
    }

    /// Whether change files were replaced: the last one is different, or a missing one appeared
    /// later, as in a copy.
    private var isReplaced: Bool {
        if let last = files.last, DurableFiles.stamp(path(ofChange: last)) != lastStamp {
            return true
        }
        return gaps.contains { DurableFiles.exists(path(ofChange: $0)) }
    }

    private init(folder: String, _ audited: AuditFileCache) {
        self.folder = folder
        self.audited = audited
    }

    /// Returns the change whose first audit row has that place; nil if its file was removed, which
    /// the audit check reports.
    func change(_ sequence: Int) throws -> DirectoryChange? {
        let path = path(ofChange: sequence)
        return try DurableFiles.read(path).map { bytes in
            try DirectoryChange(bytes, of: path)
        }
    }

    private func audit(_ sequence: Int) throws -> AuditFile {
        try audited.file(at: path(ofChange: sequence)) {
            try change(sequence)?.audit ?? []
        }
    }

    /// Returns at most `limit` audit rows after that place.
    func audit(after: Int, limit: Int) throws -> [AuditRow] {
        var page = AuditPage(limit)
        // Starts with the last file whose first row is at most `after + 1`.
        let first = max(0, files.firstPlace { $0 - 1 > after } - 1)
        for file in files[first...] where page.isOpen {
            page.take(try audit(file).rows(after: after))
        }
        return page.rows
    }

    /// Returns at most `limit` audit rows before that place, the newest first.
    func audit(before: Int?, limit: Int) throws -> [AuditRow] {
        let before = before ?? .max
        var page = AuditPage(limit)
        for file in files[..<files.firstPlace { $0 >= before }].reversed() where page.isOpen {
            page.take(try audit(file).rows(before: before).reversed())
        }
        return page.rows
    }

    /// Returns at most `limit` audit rows of a document before that place, the newest first.
    func audit(of key: DocumentKey, before: Int?, limit: Int) throws -> [AuditRow] {
        let before = before ?? .max
        var page = AuditPage(limit)
        let files = filesByDocument[key] ?? []
        for file in files[..<files.firstPlace { $0 >= before }].reversed() where page.isOpen {
            page.take(
                try audit(file).rows(before: before).reversed().lazy
                    .filter { $0.document == key }
            )
        }
        return page.rows
    }

    /// Returns a revision without its bytes; nil if it doesn't exist.
    func revision(_ number: Int, of key: DocumentKey) -> RevisionInfo? {
        guard let known = revisions[key] else { return nil }
        // The revisions are sorted by number, unless a file was edited.
        if number > 0, number <= known.count, known[number - 1].number == number,
            number == known.count || known[number].number > number
        {
            return known[number - 1]
        }
        return known.last { $0.number == number }
    }

    // MARK: Writing

    /// Writes a change, whose first audit row follows the last one.
    ///
    /// - Throws: also if a change file is missing, perhaps for a moment: its content may forbid
    ///   this change.
    mutating func write(_ change: BehaviorChange) throws {
        guard let first = change.audit.first else { return }
        // A file at the next place would have been read; a later file continues one that is
        // missing.
        let gap = try gaps.first ?? (news().isEmpty ? nil : first.sequence)
        if let gap { throw FileError(path(ofChange: gap), code: ENOENT) }
        for revision in change.revisions {
            try DurableFiles.replace(
                path(revision.info.number, of: revision.info.key),
                with: revision.bytes
            )
        }
        let kept = DirectoryChange(change)
        let text = try JSON.decode(JSON.self, from: JSON.encode(kept)).encoded(pretty: true)
        try DurableFiles.replace(
            path(ofChange: first.sequence),
            with: text + [UInt8(ascii: "\n")]
        )
        add(kept, first.sequence, DurableFiles.stamp(path(ofChange: first.sequence)))
    }

    private mutating func add(_ change: DirectoryChange, _ sequence: Int, _ stamp: FileStamp?) {
        let next = head.sequence &+ 1
        if next > files.last ?? 0, next < sequence { gaps.append(next) }
        files.append(sequence)
        lastStamp = stamp
        if change.audit.contains(where: { $0.sequence == .min }) { hasRowBelowAll = true }
        if let last = change.audit.last { head = AuditHead(last) }
        for key in Set(change.audit.compactMap(\.document)) {
            filesByDocument[key, default: []].append(sequence)
        }
        for info in change.revisions {
            revisions[info.key, default: []].append(info)
        }
        for state in change.documents { documents[state.key] = state }
        for record in change.records {
            if let key = record.key { records[key] = record.value }
        }
    }
}
