import Behaviors
import Files
import Glibc
import Locking
package import Logging

/// A behavior document in a file: revisions are immutable, what is live is a pointer.
///
/// An edit of the file goes live within half a second. An edit that isn't a valid document is
/// told in the log, with its line and column, and changes nothing.
package final class BehaviorFile: Sendable {
    /// How often the file is looked at.
    ///
    /// One `stat` costs about a microsecond, and unlike a watch it sees through the renames and
    /// links by which editors and orchestrators replace files.
    package static let interval = Duration.milliseconds(400)

    package let path: String
    /// What the file last said that is a valid document.
    package let live: LiveBehavior
    private let logger: Logger
    private let seen: Locked<Seen>

    private struct Seen {
        var stamp: FileStamp
        /// It has been told that the file can't be seen.
        var isMissing = false
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

    /// Looks at the file again and again, until the task is cancelled.
    package func watch() async {
        while (try? await Task.sleep(for: Self.interval)) != nil { refresh() }
    }

    /// Leaves what is live to another, for good: what the file says counts no more.
    func yield() { seen.withLock { $0.hasYielded = true } }

    /// Makes the file's content live if it has changed.
    ///
    /// Returns whether there is a new revision.
    @discardableResult
    package func refresh() -> Bool {
        if seen.withLock({ $0.hasYielded }) { return false }
        guard let stamp = FileStamp(path) else {
            let reason = Self.reason()
            let isNews = seen.withLock { seen in
                defer { seen.isMissing = true }
                return !seen.isMissing
            }
            if isNews {
                logger.error("behaviors: the last good document stays live: \(path): \(reason)")
            }
            return false
        }
        let isChanged = seen.withLock { seen in
            defer { (seen.stamp, seen.isMissing) = (stamp, false) }
            return stamp != seen.stamp
        }
        guard isChanged else { return false }
        do {
            let (revision, stamp) = try Self.load(path)
            let isMoved = seen.withLock { seen in
                seen.stamp = stamp
                // Under the lock: whoever the file yields to comes after.
                if !seen.hasYielded { live.move(to: revision) }
                return !seen.hasYielded
            }
            guard isMoved else { return false }
            logger.info("behaviors: \(path) is live as \(revision.etag)")
            return true
        } catch {
            logger.error("behaviors: the last good document stays live: \(error)")
            return false
        }
    }

    private static func load(_ path: String) throws -> (BehaviorRevision, FileStamp) {
        guard let stamp = FileStamp(path) else {
            throw BehaviorFileError(path, reason: Self.reason())
        }
        guard stamp.size <= BehaviorDocument.greatestSize else {
            throw BehaviorFileError(path, reason: "larger than a behavior document may be")
        }
        let bytes: [UInt8]
        do throws(FileBytes.Failure) {
            bytes = try FileBytes.read(path, limit: BehaviorDocument.greatestSize)
        } catch {
            throw BehaviorFileError(path, reason: error.description)
        }
        // A time to come would be later than the answers' own (RFC 9110 §8.8.2.1).
        let lastModified = min(stamp.seconds, time(nil))
        do {
            return (try BehaviorRevision(authored: bytes, lastModified: lastModified), stamp)
        } catch {
            throw BehaviorFileError(path, reason: "\(error)")
        }
    }

    private static func reason() -> String { String(cString: strerror(errno)) }

}

/// A behavior document that can't be loaded, and why.
package struct BehaviorFileError: Error, CustomStringConvertible {
    package let path: String
    package let reason: String

    init(_ path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    package var description: String { "\(path): \(reason)" }
}
