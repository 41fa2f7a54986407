import CZlib
package import HTTPSyntax

/// Inflates one body, piece by piece; a body is a sequence of members (RFC 1952).
package final class GzipInflater {
    private enum Place {
        case start, member, between
    }

    /// Heap-allocated, since zlib stores its address.
    private let stream: UnsafeMutablePointer<z_stream>
    private var place = Place.start
    /// The number of complete members.
    private var members = 0

    package init() throws(GzipError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard czlib_inflate_init(stream) == Z_OK else { throw .noMemory }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Inflates until `output` is full or `input` is used up.
    ///
    /// Returns the number of bytes read and written. If it wrote fewer than `output` has room for,
    /// it has read all of `input`.
    package func inflate(
        _ input: ByteSpan,
        into output: UnsafeMutableBufferPointer<UInt8>
    ) throws(GzipError) -> (taken: Int, made: Int) {
        var (taken, made) = (0, 0)
        while made < output.count {
            if place != .member {
                guard taken < input.count else { break }
                try begin(input[taken])
            }
            let (tookBytes, madeBytes) = try step(input, taken, output, made)
            taken += tookBytes
            made += madeBytes
            if place == .member, taken == input.count { break }
        }
        return (taken, made)
    }

    /// Checks the end of the body; throws if it is within a member or before the first.
    package func finish() throws(GzipError) {
        guard place == .between else { throw .truncated }
    }

    private func begin(_ first: UInt8) throws(GzipError) {
        if place == .between {
            guard first == 0x1F else { throw .trailing }
            guard inflateReset(stream) == Z_OK else { throw .corrupt }
        }
        place = .member
    }

    private func step(
        _ input: ByteSpan,
        _ taken: Int,
        _ output: UnsafeMutableBufferPointer<UInt8>,
        _ made: Int
    ) throws(GzipError) -> (Int, Int) {
        // zlib counts in 32 bits.
        let (given, room) = (
            uInt(clamping: input.count - taken), uInt(clamping: output.count - made)
        )
        stream.pointee.next_in = input.baseAddress.map {
            UnsafeMutablePointer(mutating: $0 + taken)
        }
        stream.pointee.avail_in = given
        stream.pointee.next_out = output.baseAddress.map { $0 + made }
        stream.pointee.avail_out = room
        let code = CZlib.inflate(stream, Z_NO_FLUSH)
        switch code {
        // Z_BUF_ERROR: no progress was possible.
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END:
            place = .between
            members += 1
        case Z_MEM_ERROR: throw .noMemory
        default: throw failure
        }
        return (Int(given - stream.pointee.avail_in), Int(room - stream.pointee.avail_out))
    }

    /// The error in the data.
    ///
    /// zlib distinguishes the kinds only by their messages.
    private var failure: GzipError {
        switch stream.pointee.msg.map({ String(cString: $0) }) {
        case "incorrect header check": members == 0 ? .notGzip : .trailing
        case "incorrect data check", "incorrect length check", "header crc mismatch": .mismatch
        default: .corrupt
        }
    }
}
