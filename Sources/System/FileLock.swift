import Glibc
import Locking

/// An exclusive lock on a file or folder, among all processes and threads (flock(2)).
package enum FileLock {
    /// Runs `body` while holding the lock.
    ///
    /// Blocks the calling thread until the lock is free.
    ///
    /// - Throws: ``FileError`` if the file can't be opened or locked, and the errors of `body`.
    package static func hold<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(path) }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw FileError(path) }
        }
        return try body()
    }

    /// A lock that is held until its release, or until the process ends.
    package final class Held: Sendable {
        private let descriptor: Locked<FileDescriptor?>

        fileprivate init(_ descriptor: FileDescriptor) {
            self.descriptor = Locked(descriptor)
        }

        /// Releases the lock; the file stays.
        ///
        /// Another process may have opened the file already, so a removal would allow two locks.
        package func release() { descriptor.withLock { $0 = nil } }
    }

    /// Takes the lock on a file without waiting, and creates the file and its folder if needed;
    /// nil if another holder has it.
    package static func take(_ path: String) throws(FileError) -> Held? {
        let folder = Paths.parent(of: path)
        try DurableFiles.makeFolder(folder)
        let descriptor = open(path, O_RDONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileError(path, in: folder) }
        let owned = FileDescriptor(descriptor)
        FileAccess.inherit(from: folder, to: descriptor)
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK: return nil
            default: throw FileError(path)
            }
        }
        return Held(owned)
    }
}
