import Glibc

/// The command's standard streams: unbuffered, so that a pipe sees a line when it is written.
enum Output {
    static func print(_ text: String) { write(Array((text + "\n").utf8), to: STDOUT_FILENO) }

    static func complain(_ text: String) { write(Array((text + "\n").utf8), to: STDERR_FILENO) }

    /// Writes bytes as they are.
    static func write(_ bytes: [UInt8]) { write(bytes, to: STDOUT_FILENO) }

    private static func write(_ bytes: [UInt8], to descriptor: CInt) {
        var bytes = bytes[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}
