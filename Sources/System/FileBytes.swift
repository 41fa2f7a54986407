import Glibc

/// Reads whole files into memory.
package enum FileBytes {
    /// Reads a file of at most `limit` bytes.
    ///
    /// If `waits` is true, a pipe is read until its writer closes it. Otherwise a pipe without a
    /// writer is empty, so that no path can block the server.
    package static func read(
        _ path: String,
        limit: Int,
        waits: Bool = false
    ) throws(FileError) -> [UInt8] {
        let flags = O_RDONLY | O_CLOEXEC | (waits ? 0 : O_NONBLOCK)
        let descriptor = open(path, flags)
        guard descriptor >= 0 else { throw FileError(path) }
        defer { close(descriptor) }
        return try read(descriptor, path, limit: limit)
    }

    /// Reads an open file of at most `limit` bytes; errors call it `path`.
    package static func read(
        _ descriptor: CInt,
        _ path: String,
        limit: Int
    ) throws(FileError) -> [UInt8] {
        var info = stat()
        fstat(descriptor, &info)
        var bytes: [UInt8] = []
        while true {
            // The size is only a hint: it may be wrong, or exceed the memory.
            let rest = min(Int(info.st_size) - bytes.count, maximumPiece)
            let piece = try piece(of: descriptor, path, size: max(rest, minimumPiece))
            if piece.isEmpty { return bytes }
            if bytes.isEmpty { bytes = piece } else { bytes += piece }
            guard bytes.count <= limit else { throw FileError(path, largerThan: limit) }
        }
    }

    /// Reads up to `size` bytes of an open file; returns no bytes at its end.
    package static func piece(
        of descriptor: CInt,
        _ path: String,
        size: Int
    ) throws(FileError) -> [UInt8] {
        while true {
            var result = 0
            let piece = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
                result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                count = max(result, 0)
            }
            if result >= 0 { return piece }
            guard errno == EINTR else { throw FileError(path) }
        }
    }

    /// The size of a read if the file's size is unknown, as for a pipe.
    private static let minimumPiece = 16 << 10
    private static let maximumPiece = 1 << 20
}
