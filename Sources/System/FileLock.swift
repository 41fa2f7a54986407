import Glibc

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
}
