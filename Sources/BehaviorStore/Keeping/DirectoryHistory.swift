import System
import Glibc
import JSONCodec

/// What has come of a folder's documents: the sum of the changes in its `.history`, in their order.
///
/// A change is a file, named by the place of its first audit row. It is written whole, after the bytes
/// of its revisions, and once it is there the change is made: nothing is ever written again. All of it
/// but the bytes is in memory: a folder is for thousands of changes, not for millions.
struct DirectoryHistory {
    private(set) var head = AuditHead.none
    private(set) var documents: [DocumentKey: DocumentState] = [:]
    /// A document's revisions, the oldest first.
    private(set) var revisions: [DocumentKey: [RevisionInfo]] = [:]
    private(set) var records: [RecordKey: String] = [:]
    /// Whether there is a row below all numbers that are read: somebody has edited a file.
    private(set) var hasRowBelowAll = false
    /// The files, in order, by the place of their first audit row.
    private(set) var files: [Int] = []
    /// What tells the last of them from another one of its name.
    private var lastStamp: FileStamp?
    /// The places of changes whose files aren't there, though later ones are.
    private var gaps: [Int] = []
    /// Whether it has taken the place of another one, until somebody has looked for that.
    var isAnother = false
    /// The documents whose live files aren't written yet, as far as it is known, with the digests of what
    /// may be there meanwhile.
    var unwritten: [DocumentKey: Set<String>] = [:]

    let folder: String

    /// What was read last of the audit.
    private let audited: AuditFileCache

    /// Nothing yet, in that folder's `.history`.
    init(of folder: String, reading audited: AuditFileCache) {
        self.folder = folder + "/.history"
        self.audited = audited
    }

    /// Where a revision's bytes are.
    func path(_ number: Int, of key: DocumentKey) -> String {
        "\(folder)/\(key.environment)/\(key.name)/\(number).json"
    }

    /// Where the change is whose first audit row has that place: in the order of names up to a hundred
    /// million.
    func path(ofChange sequence: Int) -> String { "\(folder)/" + name(ofChange: sequence) }

    private func name(ofChange sequence: Int) -> String {
        let digits = String(sequence)
        return String(repeating: "0", count: max(0, 8 - digits.count)) + digits + ".json"
    }

    // MARK: Reading

    /// Takes in what was written since.
    ///
    /// - Throws: also where the folder is away, which isn't another history.
    mutating func refresh() throws {
        if isReplaced {
            if isAway { throw FileError(folder, because: "its changes are away") }
            // Another history has taken its place: each change's file says upon which it is made. The
            // live files may be those of the one before still, which nobody has edited.
            var other = DirectoryHistory(folder: folder, audited)
            for (key, state) in documents {
                let live = state.live.flatMap { revision($0, of: key) }
                other.unwritten[key] = live.map { [$0.digest] }
            }
            other.isAnother = true
            self = other
        }
        guard files.isEmpty || DirectoryFiles.exists(path(ofChange: head.sequence &+ 1)) else {
            return
        }
        // A file that isn't there is the audit's to find: the others hold what they hold.
        for sequence in try news() {
            // Taken first: what is written while it is read is another stamp's.
            let stamp = DirectoryFiles.stamp(path(ofChange: sequence))
            if let change = try change(sequence) { add(change, sequence, stamp) }
        }
    }

    /// The changes whose files are there beyond those that were read.
    private func news() throws -> [Int] {
        let known = files.last ?? 0
        return try DirectoryFiles.names(in: folder).compactMap(place).filter { $0 > known }.sorted()
    }

    /// The place of the change whose file has that name, the one that is its own: none is there twice; nil where it
    /// is no change's.
    private func place(_ name: String) -> Int? {
        Int(name.prefix { $0 != "." }).flatMap { self.name(ofChange: $0) == name ? $0 : nil }
    }

    /// Whether changes were there and none is: the folder was moved, what is mounted there was unmounted and left
    /// an empty one, or somebody has removed them.
    var isAway: Bool {
        guard let last = files.last, !DirectoryFiles.exists(path(ofChange: last)) else {
            return false
        }
        return ((try? DirectoryFiles.names(in: folder)) ?? []).allSatisfy { place($0) == nil }
    }

    /// Whether files have come to other places than behind those that were read: the last one is another,
    /// or one that was missing has come later, as in a copy.
    private var isReplaced: Bool {
        if let last = files.last, DirectoryFiles.stamp(path(ofChange: last)) != lastStamp {
            return true
        }
        return gaps.contains { DirectoryFiles.exists(path(ofChange: $0)) }
    }

    private init(folder: String, _ audited: AuditFileCache) {
        self.folder = folder
        self.audited = audited
    }

    /// The change whose first audit row has that place; nil where somebody has taken it away, which the
    /// audit's verifying finds.
    func change(_ sequence: Int) throws -> DirectoryChange? {
        let path = path(ofChange: sequence)
        return try DirectoryFiles.read(path).map { bytes in
            try DirectoryChange(bytes, of: path)
        }
    }

    private func audit(_ sequence: Int) throws -> AuditFile {
        try audited.file(at: path(ofChange: sequence)) {
            try change(sequence)?.audit.map(\.row) ?? []
        }
    }

    /// The audit rows beyond that place, as the files have them, at most `limit`.
    func audit(after: Int, limit: Int) throws -> [AuditRow] {
        var page = AuditPage(limit)
        // From the last file whose first row is no further than the one that follows.
        let first = max(0, files.firstPlace { $0 - 1 > after } - 1)
        for file in files[first...] where page.isOpen {
            page.take(try audit(file).rows(after: after))
        }
        return page.rows
    }

    /// The audit rows below that place, the newest first, at most `limit`.
    func audit(before: Int?, limit: Int) throws -> [AuditRow] {
        let before = before ?? .max
        var page = AuditPage(limit)
        for file in files[..<files.firstPlace { $0 >= before }].reversed() where page.isOpen {
            page.take(try audit(file).rows(before: before).reversed())
        }
        return page.rows
    }

    /// What is known of a revision; nil where there is none.
    func revision(_ number: Int, of key: DocumentKey) -> RevisionInfo? {
        guard let known = revisions[key] else { return nil }
        // They are in the order of their numbers, unless somebody has edited the files.
        if number > 0, number <= known.count, known[number - 1].number == number,
            number == known.count || known[number].number > number
        {
            return known[number - 1]
        }
        return known.last { $0.number == number }
    }

    // MARK: Writing

    /// Keeps a change, whose first audit row follows upon the last one.
    ///
    /// - Throws: also where a change is missing, which may be on its way: what it says may forbid this one.
    mutating func write(_ change: BehaviorChange) throws {
        guard let first = change.audit.first else { return }
        // What comes next isn't there, or it would have been read: later ones follow upon what is missing.
        let gap = try gaps.first ?? (news().isEmpty ? nil : first.sequence)
        if let gap { throw FileError(path(ofChange: gap), code: ENOENT) }
        for revision in change.revisions {
            try DirectoryFiles.replace(
                path(revision.info.number, of: revision.info.key),
                with: revision.bytes
            )
        }
        let kept = DirectoryChange(change)
        let text = try JSON.decode(JSON.self, from: JSON.encode(kept)).encoded(pretty: true)
        try DirectoryFiles.replace(
            path(ofChange: first.sequence),
            with: text + [UInt8(ascii: "\n")]
        )
        add(kept, first.sequence, DirectoryFiles.stamp(path(ofChange: first.sequence)))
    }

    private mutating func add(_ change: DirectoryChange, _ sequence: Int, _ stamp: FileStamp?) {
        let next = head.sequence &+ 1
        if next > files.last ?? 0, next < sequence { gaps.append(next) }
        files.append(sequence)
        lastStamp = stamp
        if change.audit.contains(where: { $0.sequence == .min }) { hasRowBelowAll = true }
        if let last = change.audit.last { head = AuditHead(last.row) }
        for info in change.revisions.compactMap(\.info) {
            revisions[info.key, default: []].append(info)
        }
        for state in change.documents.compactMap(\.state) { documents[state.key] = state }
        for record in change.records {
            if let key = record.key { records[key] = record.value }
        }
    }
}
