import Behaviors
import Digests
import System
import Glibc
import JSONCodec
import Locking
import Logging

// Live files follow the recorded changes, despite concurrent edits and killed processes.

extension DirectoryBehaviors {
    /// The path of the marker for the last change whose live files are written.
    ///
    /// No environment's folder in the history can have its name (``DocumentKey/isName(_:)``).
    var writtenPath: String { folder + "/.history/written.txt" }

    func path(_ key: DocumentKey) -> String {
        "\(folder)/\(key.environment)/\(key.name).json"
    }

    /// Returns the last audit row whose change's live files are written.
    func written() throws -> Int {
        let text = try DurableFiles.read(writtenPath).map { String(decoding: $0, as: UTF8.self) }
        return text.flatMap { Int($0.prefix { $0 != "\n" }) } ?? 0
    }

    func keepWritten(_ sequence: Int) throws {
        try DurableFiles.replace(writtenPath, with: Array("\(sequence)\n".utf8))
    }

    /// Whether live files are outdated.
    func isUnwritten() throws -> Bool {
        try readNow { try !$0.unwritten.isEmpty || written() < $0.head.sequence }
    }

    /// Writes live files that another process left outdated, because it was killed or the disk was
    /// full.
    func finish(_ history: inout DirectoryHistory) {
        writeLive(&history) { [self] key, digests in try restoreEdit(key, unlessOf: digests) }
    }

    /// Writes the outdated live files, then the marker.
    ///
    /// A failure is logged once per change. The next check tries again: the change itself is
    /// already recorded.
    func writeLive(
        _ history: inout DirectoryHistory,
        after prepare: (DocumentKey, Set<String>) throws -> Void = { _, _ in }
    ) {
        var problem: (any Error)?
        do {
            let written = try written()
            guard written < history.head.sequence || !history.unwritten.isEmpty else { return }
            let changes = try history.files.filter { $0 > written }.compactMap(history.change)
            note(changes, &history)
            for (key, digests) in history.unwritten.sorted(by: { $0.key < $1.key }) {
                do {
                    try prepare(key, digests)
                    try write(key, history, unlessEdited: digests)
                    history.unwritten[key] = nil
                } catch {
                    problem = problem ?? error
                }
            }
            if problem == nil {
                try keepWritten(history.head.sequence)
            }
        } catch {
            problem = error
        }
        let head = history.head
        guard let problem, loggedHead.withLock({ $0 != head }) else { return }
        loggedHead.withLock { $0 = head }
        logger.error("behaviors: a live revision's file can't be written: \(problem)")
    }

    /// Marks the live files of changed documents as outdated.
    func note(_ changes: [DirectoryChange], _ history: inout DirectoryHistory) {
        history.unwritten.merge(Self.digests(of: changes)) { $0.union($1) }
    }

    /// Writes a document's live file.
    ///
    /// A file is an edit if its digest isn't in `digests` and it changed since the last check. It
    /// stays, and the next check takes it.
    private func write(
        _ key: DocumentKey,
        _ history: DirectoryHistory,
        unlessEdited digests: Set<String>
    ) throws {
        guard let live = history.documents[key]?.live,
            let revision = try Self.revision(live, of: key, history)
        else { return }
        guard Hexadecimal.sha256(revision.bytes) == revision.info.digest else {
            throw FileError(history.path(live, of: key), because: "doesn't match its digest")
        }
        let path = path(key)
        let stamp = DurableFiles.stamp(path)
        guard stamp != nil || !DurableFiles.exists(path) else {
            throw FileError(path, because: "is not a regular file")
        }
        var mayReplace = true
        if let stamp {
            let bytes = try? DurableFiles.read(path, limit: BehaviorDocument.maximumSize)
            let digest = bytes.map(Hexadecimal.sha256)
            guard digest != revision.info.digest else { return }
            mayReplace =
                digest.map(digests.contains) ?? false
                || looks.withLock { $0[key] == Look(stamp: stamp) }
        }
        if try mayReplace && DurableFiles.replace(path, at: stamp, with: revision.bytes) {
            // The next check reads the file again: it may have been edited since.
            looks.withLock { $0[key] = nil }
        } else {
            logger.notice("behaviors: \(path) was edited as revision \(live) went live")
        }
    }

    /// Restores an edit that was moved aside when the process was killed.
    ///
    /// Restores only a valid document whose bytes are none of the store's own.
    private func restoreEdit(_ key: DocumentKey, unlessOf digests: Set<String>) throws {
        let path = path(key)
        let other = WrittenFile.path(beside: path)
        guard let bytes = try? DurableFiles.read(other, limit: BehaviorDocument.maximumSize),
            !digests.contains(Hexadecimal.sha256(bytes)),
            (try? DocumentCheck.check(bytes)) != nil
        else { return }
        // An edit that was saved in its place since is newer.
        let here = try DurableFiles.read(path)
        guard here.map({ digests.contains(Hexadecimal.sha256($0)) }) ?? true else { return }
        guard rename(other, path) == 0 else { throw FileError(path) }
    }

    /// Returns the digests that live files may have during a write: those of the previous and of
    /// the new live revision.
    private static func digests(of changes: [DirectoryChange]) -> [DocumentKey: Set<String>] {
        let keys = changes.flatMap { $0.documents.map(\.key) }
        var digests = Dictionary(keys.map { ($0, Set<String>()) }) { one, _ in one }
        for row in changes.flatMap(\.audit) {
            guard let key = DocumentKey(row.name, in: row.environment) else { continue }
            for text in [row.before, row.after].compactMap(\.self) {
                let said: AuditedRevision? = AuditRow.read(text)
                if let said, said.live { digests[key, default: []].insert(said.digest) }
            }
        }
        return digests
    }
}
