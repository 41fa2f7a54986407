import System
import Glibc
import Locking
package import Logging

/// Behavior documents in a folder, for people and git.
///
/// `production/checkout.json` is the live revision of `checkout` in `production`, and may be
/// edited.
///
/// The folder `.history` has a file for each change and one for each revision's bytes
/// (``DirectoryHistory``). A change is complete once its file exists. Then the server writes the
/// live files, each atomically, and notes the change in `.history/written.txt`. After a power cut
/// or a full disk the next check completes the live files. A lock on `.history` serializes all
/// writers.
///
/// The next check or commit makes an edit of a live file a revision with an audit row. So a commit
/// never overwrites an edit. An invalid edit is logged and changes nothing. Write access to the
/// folder is permission to publish: edits need neither tokens nor an environment's approvals.
package final class DirectoryBehaviors: BehaviorBackend {

    let folder: String
    let logger: Logger
    let now: @Sendable () -> Int
    /// A cache of the audit's files.
    private let audited = AuditFileCache()
    private let history: Locked<DirectoryHistory>
    /// The live files as they were last checked.
    let looks = Locked<[DocumentKey: Look]>([:])
    /// The last row for which a failed write of live files was logged.
    let loggedHead = Locked(AuditHead.none)

    /// The misnamed files that were logged.
    let strays = Locked<Set<String>>([])

    /// A live file's state at the last check.
    struct Look: Equatable {
        var stamp: FileStamp
        /// Whether the edit couldn't be stored: the next check tries again, and the file stays.
        var isOpen = false
    }

    /// Makes a store without reading the folder.
    ///
    /// - Parameters:
    ///   - folder: The folder, which may be missing.
    ///   - logger: Logs edits, also rejected ones.
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

    /// The number of reads of change files for their rows.
    package var auditReadCount: Int { audited.readCount }

    /// Whether a file's rows are in memory.
    package var keepsAuditRows: Bool { audited.isFull }

    /// Counts a pause; after enough of them without a request the cached audit rows are dropped.
    package func rest() { audited.rest() }

    package var loss: String? {
        history.withLock { $0 }.isAway ? "the changes in \(folder) are missing" : nil
    }

    // MARK: Reading

    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (DirectoryHistory) throws -> Value
    ) async throws -> Value {
        try await detached { [self] in try readNow(body) }
    }

    /// Runs `body` off the event loops' threads; a file error becomes `unavailable`.
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
        guard let bytes = try DurableFiles.read(path) else {
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
                // Searches all of them: edited files may have them in any order.
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

    package func audit(
        of key: DocumentKey,
        before: Int?,
        limit: Int
    ) async throws -> [AuditRow] {
        try await read { try $0.audit(of: key, before: before, limit: limit) }
    }

    package func contradictions() async throws -> [String] {
        try await detached { [self] in
            // Read before the history, since a concurrent change writes it later.
            let written = try written()
            let (head, isBelow) = try readNow { ($0.head, $0.hasRowBelowAll) }
            var found: [String] = []
            if isBelow { found.append(StrayRow.row.description) }
            if written > head.sequence {
                found.append(
                    "the last row is row \(head.sequence), but \(writtenPath) names row "
                        + "\(written)"
                )
            }
            return found
        }
    }

    /// Returns the live revisions, after taking edits from before the start.
    package func liveNow(
        in environment: String
    ) throws -> [(state: DocumentState, revision: StoredRevision?)] {
        if DurableFiles.exists(folder) { try takeEdits() }
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
        // Throws if the folder is missing, so that no other one is created in its place.
        try readNow { _ in }
        // Documents and the audit are private, as in the data folder.
        try DurableFiles.makeFolder(folder, mode: 0o700)
        try DurableFiles.makeFolder(folder + "/.history")
        return try alone { history in
            takeEdits(&history)
            guard change.follows(history.head) else { return false }
            // A restored folder may have a marker that is ahead of its history.
            if try written() > history.head.sequence { try keepWritten(history.head.sequence) }
            try history.write(change)
            // The change is complete even if the live files can't be written.
            writeLive(&history)
            return true
        }
    }

    /// Runs `body` with the current history while no other process writes.
    func alone<Result>(
        _ body: (inout DirectoryHistory) throws -> Result
    ) throws -> Result {
        try FileLock.hold(folder + "/.history") {
            var history = try readNow { $0 }
            // A written change is kept even if a later step fails.
            defer { self.history.withLock { $0 = history } }
            finish(&history)
            return try body(&history)
        }
    }

    // MARK: Watching

    /// Waits for half a second at most while files of the history are replaced.
    ///
    /// A partial history, as in a checkout, isn't read.
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
        // Reports changes from before the first read.
        await changed()
        var isLost = false
        for await _ in Watcher.shared.looks(at: [.tree(folder)]) {
            // A checkout writes file after file; the pause avoids reading a part of them.
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
                if !isLost { logger.error("behaviors: the live revisions are unchanged: \(error)") }
                isLost = true
            }
        }
    }
}
