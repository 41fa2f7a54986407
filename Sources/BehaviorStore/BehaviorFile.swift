import Behaviors
import System
import Glibc
import Locking
package import Logging

/// A behavior document in a file: revisions are immutable, what is live is a pointer.
///
/// An edit of the file goes live at once. An edit that isn't a valid document is logged with its line and
/// column, and changes nothing.
package final class BehaviorFile: Sendable {
    package let path: String
    /// What the file last said that is a valid document.
    package let live: LiveBehavior
    private let logger: Logger
    private let seen: Locked<Seen>

    private struct Seen {
        /// What the file was when it was read last.
        var stamp: FileStamp
        /// Why the file can't be seen or read, as it was told; nil where it can be.
        var loss: String?
        /// Another keeps the document now.
        var hasYielded = false
    }

    /// Loads the file.
    ///
    /// Throws what is wrong with it: the file's absence, or line and column.
    package init(path: String, logger: Logger) throws {
        self.path = path
        self.logger = logger
        let (revision, stamp) = try Self.load(path)
        live = LiveBehavior(revision)
        seen = Locked(Seen(stamp: stamp))
    }

    /// Follows the file until the task is cancelled.
    package func watch() async {
        for await _ in Watcher.shared.looks(at: [.path(path)]) { refresh() }
    }

    /// Leaves what is live to another, for good: what the file says counts no more.
    func yield() {
        let isNews = seen.withLock { seen in
            defer { seen.hasYielded = true }
            return !seen.hasYielded
        }
        if isNews {
            logger.notice("behaviors: \(path) counts no more: the document is in the store")
        }
    }

    /// Makes the file's content live if it has changed.
    ///
    /// Returns whether there is a new revision.
    @discardableResult
    package func refresh() -> Bool {
        if seen.withLock({ $0.hasYielded }) { return false }
        guard let stamp = FileStamp(path) else {
            lose(FileError(path))
            return false
        }
        guard stamp != seen.withLock({ $0.stamp }) else {
            seen.withLock { $0.loss = nil }
            return false
        }
        do throws(FileError) {
            let (revision, stamp) = try Self.load(path)
            let isMoved = seen.withLock { seen in
                (seen.stamp, seen.loss) = (stamp, nil)
                // Under the lock: whoever the file yields to comes after.
                if !seen.hasYielded { live.move(to: revision) }
                return !seen.hasYielded
            }
            guard isMoved else { return false }
            logger.info("behaviors: \(path) is live as \(revision.etag)")
            return true
        } catch {
            guard error.code == 0 || error.code == EFBIG else {
                // It is looked at again: who may read it may change without its stamp.
                lose(error)
                return false
            }
            seen.withLock { ($0.stamp, $0.loss) = (stamp, nil) }
            logger.error("behaviors: the last good document stays live: \(error)")
            return false
        }
    }

    /// Tells once why the file can't be seen or read.
    private func lose(_ error: FileError) {
        let isNews = seen.withLock { seen in
            defer { seen.loss = error.reason }
            return seen.loss != error.reason
        }
        if isNews { logger.error("behaviors: the last good document stays live: \(error)") }
    }

    private static func load(_ path: String) throws(FileError) -> (BehaviorRevision, FileStamp) {
        guard let stamp = FileStamp(path) else { throw FileError(path) }
        let bytes = try FileBytes.read(path, limit: BehaviorDocument.greatestSize)
        // A future time would be later than the response's own (RFC 9110 §8.8.2.1).
        let lastModified = min(stamp.seconds, time(nil))
        do {
            return (try BehaviorRevision(authored: bytes, lastModified: lastModified), stamp)
        } catch {
            throw FileError(path, because: "\(error)")
        }
    }
}
