import System

extension FileStamp {
    /// The strong entity tag, which changes with each write.
    var etag: [UInt8] {
        // The bit pattern allows dates before 1970, whose seconds are negative.
        let time =
            UInt64(bitPattern: Int64(seconds)) &* 1_000_000_000
            &+ UInt64(truncatingIfNeeded: nanoseconds)
        let parts = [time, UInt64(truncatingIfNeeded: size), identity.inode]
        return Array("\"\(parts.map { String($0, radix: 16) }.joined(separator: "-"))\"".utf8)
    }
}
