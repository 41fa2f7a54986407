import System
import Glibc
import Locking
package import Logging

/// Behavior documents in a folder, made for people and for git: `production/checkout.json` is what is
/// live of `checkout` in `production`, and may be edited.
///
/// Beside the environments is `.history`, which has a file for each change and one for each revision's
/// bytes (``DirectoryHistory``). A change is made when its file is there; then the live files are
/// written, each whole, and `.history/written.txt` says up to which change that is done: what a power cut or
/// a full disk leaves undone is done by who looks next. All who write take turns, by a lock on `.history`.
///
/// An edit of a live file becomes a revision of its own, with an audit row, by whoever looks first: a
/// server that watches, or the next commit, which thus never overwrites one. An edit that isn't a
/// valid document is told in the log and changes nothing. Who may write the folder may publish:
/// neither tokens nor an environment's rules stand before an edit.
package final class DirectoryBehaviors: BehaviorKeeping {
    /// Who has made an edit, as far as a file tells.
    package static let editor = Author(id: "file")

    let folder: String
    let logger: Logger
    let now: @Sendable () -> Int
    /// What was read last of the audit's files.
    private let audited = AuditFileCache()
    private let history: Locked<DirectoryHistory>
    /// The live files as they were last looked at.
    let looks = Locked<[DocumentKey: Look]>([:])
    /// The last row of which it was told that its live files can't be written.
    let told = Locked(AuditHead.none)

    /// The files that were told to be no document's.
    let strays = Locked<Set<String>>([])

    /// How a live file was when it was looked at.
    struct Look: Equatable {
        var stamp: FileStamp
        /// Whether it is an edit that couldn't be kept: it is tried again, and stays meanwhile.
        var isOpen = false
    }

    /// Looks at nothing yet.
    ///
    /// - Parameters:
    ///   - folder: The folder, which needn't be there.
    ///   - logger: It is told what is edited, and of edits that aren't taken.
    ///   - now: A clock of seconds since 1970.
    package init(
        _ folder: String,
        logger: Logger,
        now: @escaping @Sendable () -> Int = { time(nil) }
    ) {
        self.folder = folder
        self.logger = logger
        self.now = now
        history = Locked(DirectoryHistory(of: folder, reading: audited))
    }

    /// How often a file of changes was read for its rows.
    package var auditReadCount: Int { audited.readCount }

    /// Whether a file's rows are in memory.
    package var keepsAuditRows: Bool { audited.isFull }

    /// Lets rows of the audit go that nobody asks for any more, after so many calls.
    package func rest() { audited.rest() }

    package var loss: String? {
        history.withLock { $0 }.isAway ? "the changes in \(folder) are away" : nil
    }

    // MARK: Reading

    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (DirectoryHistory) throws -> Value
    ) async throws -> Value {
        try await detached { [self] in try readNow(body) }
    }

    /// Runs `body` where files hold no event loop's thread up; what fails of them can't be reached.
    private func detached<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await Task.detached {
            do {
                return try body()
            } catch let failure as FileError {
                throw BehaviorStoreError.unavailable("\(failure)")
            }
        }.value
    }

    func readNow<Value>(_ body: (DirectoryHistory) throws -> Value) throws -> Value {
        let history = try history.withLock { history in
            try history.refresh()
            return history
        }
        return try body(history)
    }

    package func head() async throws -> AuditHead { try await read { $0.head } }

    package func documents() async throws -> [DocumentState] {
        try await read { $0.documents.values.sorted { $0.key < $1.key } }
    }

    package func document(_ key: DocumentKey) async throws -> DocumentState? {
        try await read { $0.documents[key] }
    }

    package func revision(_ number: Int, of key: DocumentKey) async throws -> StoredRevision? {
        try await read { try Self.revision(number, of: key, $0) }
    }

    static func revision(
        _ number: Int,
        of key: DocumentKey,
        _ history: DirectoryHistory
    ) throws -> StoredRevision? {
        guard let info = history.revision(number, of: key) else { return nil }
        let path = history.path(number, of: key)
        guard let bytes = try DirectoryFiles.read(path) else {
            throw FileError(path, code: ENOENT)
        }
        return StoredRevision(info: info, bytes: bytes)
    }

    package func revisions(
        of key: DocumentKey,
        before: Int?,
        limit: Int
    ) async throws -> [RevisionInfo] {
        try await read { history in
            Array(
                // All of them are looked at: in edited files they may be in any order.
                (history.revisions[key] ?? []).reversed().lazy
                    .filter { $0.number < before ?? .max }.prefix(limit)
            )
        }
    }

    package func records(
        _ kind: RecordKind,
        environment: String?,
        name: String?
    ) async throws -> [StoredRecord] {
        try await read { history in
            history.records.filter { key, _ in
                key.kind == kind && environment.map { $0 == key.environment } ?? true
                    && name.map { $0 == key.name } ?? true
            }.map { StoredRecord($0, $1) }.sorted { $0.key < $1.key }
        }
    }

    package func recordCount(_ kind: RecordKind) async throws -> Int {
        try await read { $0.records.count { $0.key.kind == kind } }
    }

    package func audit(after: Int, limit: Int) async throws -> [AuditRow] {
        try await read { try $0.audit(after: after, limit: limit) }
    }

    package func audit(before: Int?, limit: Int) async throws -> [AuditRow] {
        try await read { try $0.audit(before: before, limit: limit) }
    }

    package func contradictions() async throws -> [String] {
        try await detached { [self] in
            // Before the changes are looked at, since those that come meanwhile are written later.
            let written = try written()
            let (head, isBelow) = try readNow { ($0.head, $0.hasRowBelowAll) }
            var found: [String] = []
            if isBelow { found.append(StrayRow.row.description) }
            if written > head.sequence {
                found.append(
                    "the last row is row \(head.sequence), and \(writtenPath) tells of row "
                        + "\(written)"
                )
            }
            return found
        }
    }

    /// What is live; an edit that was made while no server looked is taken first.
    package func liveNow(
        in environment: String
    ) throws -> [(state: DocumentState, revision: StoredRevision?)] {
        if DirectoryFiles.exists(folder) { try takeEdits() }
        return try readNow { history in
            history.documents.values.filter { $0.key.environment == environment }
                .sorted { $0.key < $1.key }
                .compactMap { state in
                    state.live.map { (state, try? Self.revision($0, of: state.key, history)) }
                }
        }
    }

    // MARK: Changing

    package func commit(_ change: BehaviorChange) async throws -> Bool {
        try await detached { [self] in try commitNow(change) }
    }

    private func commitNow(_ change: BehaviorChange) throws -> Bool {
        // Where the folder that was there is away, no other is made in its place.
        try readNow { _ in }
        try DirectoryFiles.makeFolder(folder + "/.history")
        return try alone { history in
            takeEdits(&history)
            guard let first = change.audit.first, first.sequence == history.head.sequence &+ 1,
                first.previous == history.head.hash
            else { return false }
            // A folder that was put back may have one that is ahead of it.
            if try written() > history.head.sequence { try keepWritten(history.head.sequence) }
            try history.write(change)
            // The change is made, whatever comes of the live files.
            writeLive(&history)
            return true
        }
    }

    /// Runs `body` with the history as it is, while nobody else writes.
    func alone<Result>(
        _ body: (inout DirectoryHistory) throws -> Result
    ) throws -> Result {
        try FileLock.hold(folder + "/.history") {
            var history = try readNow { $0 }
            // What was written is there, also where something after it fails.
            defer { self.history.withLock { $0 = history } }
            finish(&history)
            return try body(&history)
        }
    }

    // MARK: Watching

    /// Waits for half a second at most while other files take the place of the history's, as in a checkout:
    /// what is half there isn't looked at.
    private func settle() async throws {
        for _ in 0..<5 {
            let isAnother = try await detached { [self] in
                try history.withLock { history in
                    try history.refresh()
                    defer { history.isAnother = false }
                    return history.isAnother
                }
            }
            guard isAnother, (try? await Task.sleep(for: .milliseconds(100))) != nil else { return }
        }
    }

    package func watch(_ changed: @escaping @Sendable () async -> Void) async {
        var head = try? await head()
        // What has changed before that look.
        await changed()
        var isLost = false
        for await _ in Watcher.shared.looks(at: [.tree(folder)]) {
            // A checkout writes file after file: what is half there isn't looked at.
            try? await Task.sleep(for: .milliseconds(100))
            rest()
            do {
                try await settle()
                try await detached { [self] in try takeEdits() }
                let current = try await self.head()
                isLost = false
                guard current != head else { continue }
                head = current
                await changed()
            } catch {
                if !isLost { logger.error("behaviors: what is live stays live: \(error)") }
                isLost = true
            }
        }
    }
}
