import Glibc

/// The command's standard streams: unbuffered, so that a pipe sees a line when it is written.
enum Output {
    static func print(_ text: String) { write(text, to: STDOUT_FILENO) }

    static func complain(_ text: String) { write(text, to: STDERR_FILENO) }

    private static func write(_ text: String, to descriptor: CInt) {
        var bytes = Array((text + "\n").utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}
