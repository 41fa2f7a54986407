import Glibc

/// A file that a command reads whole.
enum InputFile {
    /// The bytes of a file; `-` stands for the standard input.
    ///
    /// - Throws: ``Failure`` where it can't be read or is larger than `greatest` bytes.
    static func read(_ path: String, greatest: Int = 16 << 20) throws(Failure) -> [UInt8] {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path) }
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = piece.withUnsafeMutableBytes { buffer in
                Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(path) }
            guard count > 0 else { return bytes }
            bytes += piece[..<count]
            guard bytes.count <= greatest else {
                throw Failure("\(path) is larger than \(greatest >> 20) MiB")
            }
        }
    }

    private static func failure(_ path: String) -> Failure {
        Failure("\(path) can't be read: \(String(cString: strerror(errno)))")
    }
}
