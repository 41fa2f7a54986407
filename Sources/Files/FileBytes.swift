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
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        while bytes.count <= limit {
            let count = chunk.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Failure(code: errno) }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
        }
        return Array(bytes[...limit])
    }
}
