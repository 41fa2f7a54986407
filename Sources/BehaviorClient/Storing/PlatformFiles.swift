#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Files by POSIX calls alone, which all platforms of apps have.
enum PlatformFiles {
    /// Creates a folder and its missing parents; only the user can read it.
    static func makeFolder(_ path: String) throws(StorageError) {
        var made = ""
        for (place, name) in path.split(separator: "/", omittingEmptySubsequences: false)
            .enumerated()
        {
            made += (place == 0 ? "" : "/") + name
            guard !name.isEmpty, name != "." else { continue }
            guard mkdir(made, 0o700) == 0 || errno == EEXIST || isFolder(made) else {
                throw error(made)
            }
        }
        guard isFolder(path) else { throw StorageError(description: "\(path) is no folder") }
    }

    private static func isFolder(_ path: String) -> Bool {
        var info = stat()
        return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
    }

    /// Opens a file for the only process that may write it, and creates it if it is missing.
    static func openExclusively(_ path: String) throws(StorageError) -> CInt {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw error(path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw StorageError(description: "\(path): another process uses this storage")
        }
        return descriptor
    }

    static func close(_ descriptor: CInt) { _ = closeDescriptor(descriptor) }

    /// Returns a file's bytes; nil if it can't be read or is larger than `limit`.
    static func read(_ path: String, limit: Int) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return read(descriptor, limit: limit)
    }

    /// Returns an open file's bytes; nil if it can't be read or is larger than `limit`.
    static func read(_ descriptor: CInt, limit: Int) -> [UInt8]? {
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG,
            info.st_size <= limit
        else { return nil }
        let size = Int(info.st_size)
        // All empty arrays share their storage, and `unsafeUninitializedCapacity` writes its count.
        guard size > 0 else { return [] }
        var isWhole = true
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let rest = buffer.baseAddress.map { $0 + count }
                let result = pread(descriptor, rest, size - count, off_t(count))
                if result < 0, errno == EINTR { continue }
                guard result > 0 else {
                    isWhole = result == 0
                    return
                }
                count += result
            }
        }
        return isWhole ? bytes : nil
    }

    /// Writes bytes at a place; returns whether all of them are written.
    static func write(
        _ bytes: [UInt8],
        at place: Int,
        to descriptor: CInt,
        synchronizing: Bool
    ) -> Bool {
        var count = 0
        while count < bytes.count {
            let result = bytes.withUnsafeBytes { buffer in
                pwrite(
                    descriptor,
                    buffer.baseAddress.map { $0 + count },
                    bytes.count - count,
                    off_t(place + count)
                )
            }
            if result < 0, errno == EINTR { continue }
            guard result > 0 else { return false }
            count += result
        }
        return !synchronizing || synchronize(descriptor)
    }

    /// Replaces a file: after a crash or a power cut it is the old or the new one.
    static func replace(_ path: String, with bytes: [UInt8]) throws(StorageError) {
        let draft = path + ".new"
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
        let descriptor = open(draft, flags, 0o600)
        guard descriptor >= 0 else { throw error(draft) }
        let isWritten = write(bytes, at: 0, to: descriptor, synchronizing: true)
        let problem = error(draft)
        close(descriptor)
        guard isWritten else {
            unlink(draft)
            throw problem
        }
        guard rename(draft, path) == 0 else {
            let problem = error(path)
            unlink(draft)
            throw problem
        }
    }

    /// The time in seconds since 1970.
    static var now: Int64 { Int64(time(nil)) }

    private static func synchronize(_ descriptor: CInt) -> Bool {
        #if canImport(Darwin)
        // fsync alone leaves the bytes in the device's memory.
        return fcntl(descriptor, F_FULLFSYNC) == 0 || fsync(descriptor) == 0
        #else
        return fsync(descriptor) == 0
        #endif
    }

    private static func error(_ path: String) -> StorageError {
        StorageError(description: "\(path): \(String(cString: strerror(errno)))")
    }
}

/// The system's call, whose name the type's own function hides.
private func closeDescriptor(_ descriptor: CInt) -> CInt { close(descriptor) }
