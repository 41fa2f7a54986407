import CZlib
package import HTTPSyntax

/// Compresses bodies, one after the other, in memory that it keeps: 256 KiB, or less where they are
/// known to be small.
package final class GzipDeflater {
    /// At an address of its own, which zlib remembers.
    private let stream: UnsafeMutablePointer<z_stream>
    private let isReady: Bool

    /// For bodies of which none is larger than `size` bytes, if that is known; larger ones take more
    /// room then.
    package init(_ level: Gzip.Level, upTo size: Int = .max) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // As many bits as the last byte's number has: a window that holds the body, tables as large.
        let bits = CInt(Int.bitWidth - max(0, size - 1).leadingZeroBitCount)
        let window = min(max(bits, 9), 15)
        let memory = min(max(bits - 6, 1), 8)
        isReady = czlib_deflate_init(stream, level.rawValue, window, memory) == Z_OK
    }

    deinit {
        if isReady { deflateEnd(stream) }
        stream.deallocate()
    }

    /// Compresses a body into one member; nil if it isn't smaller enough to be worth it.
    ///
    /// The same bytes give the same member: it carries no time and no name.
    package func compress(_ bytes: ByteSpan) -> [UInt8]? {
        // There is no more room than what is worth having.
        let room = bytes.count - Gzip.overhead
        guard isReady, room > 0, let count = uInt(exactly: bytes.count),
            deflateReset(stream) == Z_OK
        else { return nil }
        var isWhole = false
        let member = [UInt8](unsafeUninitializedCapacity: room) { buffer, made in
            stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
            stream.pointee.avail_in = count
            stream.pointee.next_out = buffer.baseAddress
            stream.pointee.avail_out = uInt(room)
            isWhole = deflate(stream, Z_FINISH) == Z_STREAM_END
            made = room - Int(stream.pointee.avail_out)
            stream.pointee.next_in = nil
            stream.pointee.next_out = nil
        }
        return isWhole ? member : nil
    }
}
