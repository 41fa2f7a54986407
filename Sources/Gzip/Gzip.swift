package import HTTPSyntax

/// gzip bodies (RFC 1952; RFC 9110 §8.4.1.3), by zlib.
package enum Gzip {
    /// The compression level.
    ///
    /// Measured on JSON lists of 54 KB:
    ///
    /// | level | size | time |
    /// |---|---|---|
    /// | 1 | 30 % | 0.44 ms |
    /// | 2 | 29 % | 0.46 ms |
    /// | 4 | 26 % | 0.66 ms |
    /// | 6 | 24 % | 1.55 ms |
    /// | 9 | 24 % | 3.4 ms |
    ///
    /// Level 6 pays off for cached bodies, but not for bodies sent once.
    package enum Level: CInt, Sendable {
        case once = 2
        case kept = 6
    }

    /// The minimum saving in bytes: the size of a coded response's extra fields.
    package static let overhead = 64

    /// Compresses a body into one member; nil if it saves less than `overhead`.
    package static func compress(_ bytes: ByteSpan, _ level: Level) -> [UInt8]? {
        GzipDeflater(level, upTo: bytes.count).compress(bytes)
    }

    /// Inflates a whole body and appends it to `output`.
    ///
    /// It stops above `limit` bytes, so a decompression bomb costs no memory beyond the limit.
    package static func inflate(
        _ bytes: ByteSpan,
        upTo limit: Int,
        into output: inout OutputBuffer
    ) throws(GzipError) {
        let inflater = try GzipInflater()
        var used = 0
        var total = 0
        while true {
            // One byte above the limit: only that byte shows that the body is too large.
            let room = min(chunk, max(0, limit) - total) + 1
            let place = UnsafeMutableBufferPointer(start: output.reserve(room), count: room)
            let (taken, made) = try inflater.inflate(bytes.slice(used, bytes.count), into: place)
            output.commit(made)
            used += taken
            total += made
            guard total <= limit else { throw .tooLarge }
            if made < room { return try inflater.finish() }
        }
    }

    private static let chunk = 16 * 1024
}

/// The reasons why a gzip body can't be inflated.
package enum GzipError: Error, Equatable {
    /// The body doesn't begin with a member's header (RFC 1952 §2.3.1).
    case notGzip
    /// The compressed data is invalid (RFC 1951).
    case corrupt
    /// The checksum or length at a member's end is wrong.
    case mismatch
    /// The body ends within a member or has none.
    case truncated
    /// Bytes after the last member aren't another member.
    case trailing
    /// The body inflates to more than the limit.
    case tooLarge
    /// The system has no memory for the inflater.
    case noMemory
}
