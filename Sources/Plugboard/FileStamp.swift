import Glibc

/// What tells the states of files apart: which file it is, its size, and its time to the
/// nanosecond.
struct FileStamp: Equatable, Sendable {
    let device: UInt64
    let inode: UInt64
    let size: Int
    /// The last change, in seconds since 1970; before that they are negative.
    let seconds: Int
    let nanoseconds: Int

    init(_ info: stat) {
        device = UInt64(truncatingIfNeeded: info.st_dev)
        inode = UInt64(truncatingIfNeeded: info.st_ino)
        size = Int(info.st_size)
        seconds = info.st_mtim.tv_sec
        nanoseconds = info.st_mtim.tv_nsec
    }

    func isOlder(than other: FileStamp) -> Bool {
        (seconds, nanoseconds) < (other.seconds, other.nanoseconds)
    }

    /// The strong entity tag: it changes with each write.
    var etag: [UInt8] {
        // A file may be dated before 1970: its seconds are taken by their bits.
        let time =
            UInt64(bitPattern: Int64(seconds)) &* 1_000_000_000
            &+ UInt64(truncatingIfNeeded: nanoseconds)
        let parts = [time, UInt64(truncatingIfNeeded: size), inode]
        return Array("\"\(parts.map { String($0, radix: 16) }.joined(separator: "-"))\"".utf8)
    }
}
