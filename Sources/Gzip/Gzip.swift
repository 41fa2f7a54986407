package import HTTPSyntax

/// gzip bodies (RFC 1952; RFC 9110 §8.4.1.3), by zlib.
package enum Gzip {
    /// How hard a body is compressed.
    ///
    /// Measured on JSON lists of 54 KB: level 1 leaves 30 % in 0.44 ms, 2 29 % in 0.46 ms, 4 26 % in
    /// 0.66 ms, 6 24 % in 1.55 ms, 9 24 % in 3.4 ms. What is kept is worth 6; what is sent once isn't.
    package enum Level: CInt, Sendable {
        case once = 2
        case kept = 6
    }

    /// What a coded answer's fields take: a body that shrinks by less is left as it is.
    package static let overhead = 64

    /// Compresses a body into one member; nil if it isn't smaller enough to be worth it.
    package static func compress(_ bytes: ByteSpan, _ level: Level) -> [UInt8]? {
        GzipDeflater(level, upTo: bytes.count).compress(bytes)
    }

    /// Inflates a whole body, appending to `output`.
    ///
    /// It stops as soon as there is more than `limit` bytes: a bomb costs no more memory than what
    /// is allowed.
    package static func inflate(
        _ bytes: ByteSpan,
        upTo limit: Int,
        into output: inout OutputBuffer
    ) throws(GzipError) {
        let inflater = try GzipInflater()
        var used = 0
        var total = 0
        while true {
            // A byte more than is allowed: only by having it can it be told.
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

/// What keeps a gzip body from being inflated.
package enum GzipError: Error, Equatable {
    /// It doesn't begin as a member does (RFC 1952 §2.3.1).
    case notGzip
    /// The compressed data is none (RFC 1951).
    case corrupt
    /// The checksum or the length behind a member isn't its content's.
    case mismatch
    /// It ends within a member, or before the first.
    case truncated
    /// What follows the last member is none.
    case trailing
    /// It inflates to more than is allowed.
    case tooLarge
    /// The system has no memory for it.
    case noMemory
}
