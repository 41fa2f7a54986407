package import Glibc

/// The state of a file, for detecting changes: identity, size and modification time.
package struct FileStamp: Hashable, Sendable {
    package let identity: FileIdentity
    package let size: Int
    /// The time of the last change, in seconds since 1970; negative before 1970.
    package let seconds: Int
    package let nanoseconds: Int

    package init(_ info: stat) {
        identity = FileIdentity(info)
        size = Int(info.st_size)
        seconds = info.st_mtim.tv_sec
        nanoseconds = info.st_mtim.tv_nsec
    }

    /// The stamp of the file at a path; nil if it can't be read, with the reason in `errno`.
    package init?(_ path: String) {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        self.init(info)
    }

    package func isOlder(than other: FileStamp) -> Bool {
        (seconds, nanoseconds) < (other.seconds, other.nanoseconds)
    }
}
