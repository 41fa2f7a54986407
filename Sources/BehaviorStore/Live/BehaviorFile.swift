import Behaviors
import System
import Glibc
import Locking
package import Logging

/// A behavior document in a file: revisions are immutable, and a pointer selects the live one.
///
/// An edit of the file goes live at once. An invalid edit is logged with its line and column, and
/// the last valid document stays live.
package final class BehaviorFile: Sendable {
    package let path: String
    /// The file's last valid document.
    package let live: LiveBehavior
    private let logger: Logger
    private let seen: Locked<Seen>

    private struct Seen {
        /// The file's stamp at the last read.
        var stamp: FileStamp
        /// The bytes of the file's last valid document.
        var authored: [UInt8]
        /// The logged reason why the file can't be read; nil if it can.
        var loss: String?
        /// Whether a store has taken over the document.
        var hasYielded = false
        /// Whether a store that is unavailable may have the document.
        var isWithheld = false
        /// The file's revision while it is withheld.
        var withheld: BehaviorRevision?

        var isFollowed: Bool { !hasYielded && !isWithheld }
    }

    /// Loads the file.
    ///
    /// - Throws: ``FileError`` if the file is missing or invalid; the error has the line and
    ///   column.
    package init(path: String, logger: Logger) throws {
        self.path = path
        self.logger = logger
        let (revision, bytes, stamp) = try Self.load(path)
        live = LiveBehavior(revision)
        seen = Locked(Seen(stamp: stamp, authored: bytes))
    }

    /// The served document as its author wrote it; nil if a store has taken over the document.
    var authored: [UInt8]? { seen.withLock { $0.hasYielded ? nil : $0.authored } }

    /// Follows the file until the task is cancelled.
    package func watch() async {
        for await _ in Watcher.shared.looks(at: [.path(path)]) { refresh() }
    }

    /// Serves nothing until ``release()``: the store of the document is unavailable.
    func withhold() {
        seen.withLock { seen in
            guard seen.isFollowed else { return }
            seen.isWithheld = true
            seen.withheld = live.revision
            live.move(to: nil)
        }
    }

    /// Serves the file again, unless a store has taken over the document.
    func release() {
        seen.withLock { seen in
            guard seen.isWithheld else { return }
            seen.isWithheld = false
            if !seen.hasYielded { live.move(to: seen.withheld) }
            seen.withheld = nil
        }
        refresh()
    }

    /// Stops following the file for good: the document's live revision comes from a store.
    func yield() {
        let isNews = seen.withLock { seen in
            defer { seen.hasYielded = true }
            return !seen.hasYielded
        }
        if isNews {
            logger.notice("behaviors: \(path) is ignored: the document is in the store")
        }
    }

    /// Makes the file's content live if it has changed.
    ///
    /// - Returns: whether a new revision went live.
    @discardableResult
    package func refresh() -> Bool {
        guard seen.withLock({ $0.isFollowed }) else { return false }
        guard let stamp = FileStamp(path) else {
            lose(FileError(path))
            return false
        }
        guard stamp != seen.withLock({ $0.stamp }) else {
            seen.withLock { $0.loss = nil }
            return false
        }
        do throws(FileError) {
            let (revision, bytes, stamp) = try Self.load(path)
            let isMoved = seen.withLock { seen in
                // Checked under the lock, so that a move after `yield()` is impossible.
                guard seen.isFollowed else { return false }
                (seen.stamp, seen.loss, seen.authored) = (stamp, nil, bytes)
                live.move(to: revision)
                return true
            }
            guard isMoved else { return false }
            logger.info("behaviors: \(path) is live as \(revision.etag)")
            return true
        } catch {
            guard error.code == 0 || error.code == EFBIG else {
                // The stamp is not stored: a change of permissions doesn't always change it.
                lose(error)
                return false
            }
            seen.withLock { ($0.stamp, $0.loss) = (stamp, nil) }
            logger.error("behaviors: the last good document stays live: \(error)")
            return false
        }
    }

    /// Logs why the file can't be read, once per reason.
    private func lose(_ error: FileError) {
        let isNews = seen.withLock { seen in
            defer { seen.loss = error.reason }
            return seen.loss != error.reason
        }
        if isNews { logger.error("behaviors: the last good document stays live: \(error)") }
    }

    private static func load(
        _ path: String
    ) throws(FileError) -> (BehaviorRevision, [UInt8], FileStamp) {
        guard let stamp = FileStamp(path) else { throw FileError(path) }
        let bytes = try FileBytes.read(path, limit: BehaviorDocument.maximumSize)
        // A future time would be later than the response's own (RFC 9110 §8.8.2.1).
        let lastModified = min(stamp.seconds, time(nil))
        do {
            return (try BehaviorRevision(authored: bytes, lastModified: lastModified), bytes, stamp)
        } catch {
            throw FileError(path, because: "\(error)")
        }
    }
}
