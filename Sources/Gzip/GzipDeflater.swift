import CZlib
package import HTTPSyntax

/// Compresses bodies one after the other in reused memory: 256 KiB, or less for small bodies.
package final class GzipDeflater {
    /// Heap-allocated, since zlib stores its address.
    private let stream: UnsafeMutablePointer<z_stream>
    private let isReady: Bool

    /// Creates a deflater for bodies of up to `size` bytes; larger bodies compress less well.
    package init(_ level: Gzip.Level, upTo size: Int = .max) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // The bits that the last byte's index needs: a window that fits the body, tables in
        // proportion.
        let bits = CInt(Int.bitWidth - max(0, size - 1).leadingZeroBitCount)
        let window = min(max(bits, 9), 15)
        let memory = min(max(bits - 6, 1), 8)
        isReady = czlib_deflate_init(stream, level.rawValue, window, memory) == Z_OK
    }

    deinit {
        if isReady { deflateEnd(stream) }
        stream.deallocate()
    }

    /// Compresses a body into one member; nil if it saves less than `Gzip.overhead`.
    ///
    /// Equal bytes yield an equal member, which has no time and no name.
    package func compress(_ bytes: ByteSpan) -> [UInt8]? {
        // The room is limited to the sizes that save enough.
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
