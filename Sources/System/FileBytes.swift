import Glibc

/// Reads files that are whole in memory.
package enum FileBytes {
    /// Why a file can't be read.
    package struct Failure: Error, CustomStringConvertible {
        /// The `errno`.
        package let code: CInt

        package init(code: CInt) { self.code = code }

        package var description: String { String(cString: strerror(code)) }
    }

    /// A file's bytes; where it has more than `limit`, one more than that.
    ///
    /// It never waits: a pipe without a writer is empty.
    package static func read(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        defer { close(descriptor) }
        var info = stat()
        fstat(descriptor, &info)
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            var count = 0
            // What a file says of its size may not be so, and may not be there to hold.
            let rest = min(Int(info.st_size) - bytes.count, greatestPiece)
            let piece = [UInt8](
                unsafeUninitializedCapacity: max(rest, leastPiece)
            ) { buffer, length in
                count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                length = max(count, 0)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Failure(code: errno) }
            if count == 0 { return bytes }
            if bytes.isEmpty { bytes = piece } else { bytes += piece }
        }
        return Array(bytes[...limit])
    }

    /// How much is asked for at least: of what isn't a file nobody knows how much there is.
    private static let leastPiece = 4096
    private static let greatestPiece = 1 << 20
}
