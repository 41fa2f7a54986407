import Behaviors
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
        var stamp: Stamp
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
        guard let stamp = Stamp(path) else {
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

    private static func load(_ path: String) throws -> (BehaviorRevision, Stamp) {
        guard let stamp = Stamp(path) else { throw BehaviorFileError(path, reason: Self.reason()) }
        guard stamp.size <= BehaviorDocument.greatestSize else {
            throw BehaviorFileError(path, reason: "larger than a behavior document may be")
        }
        guard let bytes = read(path) else { throw BehaviorFileError(path, reason: Self.reason()) }
        // A time to come would be later than the answers' own (RFC 9110 §8.8.2.1).
        let lastModified = min(stamp.seconds, time(nil))
        do {
            return (try BehaviorRevision(authored: bytes, lastModified: lastModified), stamp)
        } catch {
            throw BehaviorFileError(path, reason: "\(error)")
        }
    }

    private static func reason() -> String { String(cString: strerror(errno)) }

    private static func read(_ path: String) -> [UInt8]? {
        // A pipe without a writer would hold the open up for ever.
        let fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard fd >= 0 else { return nil }
        defer { close(fd) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 * 1024)
        while bytes.count <= BehaviorDocument.greatestSize {
            let count = chunk.withUnsafeMutableBytes { systemRead(fd, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
        }
        return bytes
    }
}

/// `read(2)`, whose name a method of `BehaviorFile` has, too.
private func systemRead(_ fd: CInt, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(fd, buffer, count)
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

/// What tells a changed file: its identity, size and time.
private struct Stamp: Equatable {
    let device: UInt64
    let inode: UInt64
    let size: Int
    let seconds: Int
    let nanoseconds: Int

    init?(_ path: String) {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: info.st_dev)
        inode = UInt64(info.st_ino)
        size = Int(info.st_size)
        seconds = info.st_mtim.tv_sec
        nanoseconds = info.st_mtim.tv_nsec
    }
}
