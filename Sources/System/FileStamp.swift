package import Glibc

/// What tells the states of files apart: which file it is, its size, and its time to the nanosecond.
package struct FileStamp: Hashable, Sendable {
    package let identity: FileIdentity
    package let size: Int
    /// The last change, in seconds since 1970; before that they are negative.
    package let seconds: Int
    package let nanoseconds: Int

    package init(_ info: stat) {
        identity = FileIdentity(info)
        size = Int(info.st_size)
        seconds = info.st_mtim.tv_sec
        nanoseconds = info.st_mtim.tv_nsec
    }

    /// The stamp of what is at a path; nil where it can't be seen, with the reason in `errno`.
    package init?(_ path: String) {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        self.init(info)
    }

    package func isOlder(than other: FileStamp) -> Bool {
        (seconds, nanoseconds) < (other.seconds, other.nanoseconds)
    }
}
