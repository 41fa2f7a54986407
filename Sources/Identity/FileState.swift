import Glibc

/// What tells the states of a file apart: which file it is, its size, and its time to the nanosecond.
struct FileState: Equatable, Sendable {
    let inode: UInt64
    let size: Int
    let seconds: Int
    let nanoseconds: Int

    /// The state of the file at a path; nil where it can't be seen, with the reason in `errno`.
    init?(_ path: String) {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        inode = UInt64(truncatingIfNeeded: info.st_ino)
        size = Int(info.st_size)
        seconds = info.st_mtim.tv_sec
        nanoseconds = info.st_mtim.tv_nsec
    }
}
