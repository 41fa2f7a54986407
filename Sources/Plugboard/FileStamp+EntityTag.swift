import System

extension FileStamp {
    /// The strong entity tag: it changes with each write.
    var etag: [UInt8] {
        // A file may be dated before 1970: its seconds are taken by their bits.
        let time =
            UInt64(bitPattern: Int64(seconds)) &* 1_000_000_000
            &+ UInt64(truncatingIfNeeded: nanoseconds)
        let parts = [time, UInt64(truncatingIfNeeded: size), identity.inode]
        return Array("\"\(parts.map { String($0, radix: 16) }.joined(separator: "-"))\"".utf8)
    }
}
