import Glibc

/// The command's standard streams: unbuffered, so that a pipe sees a line when it is written.
enum Output {
    static func print(_ text: String) { write(Array((text + "\n").utf8), to: STDOUT_FILENO) }

    static func complain(_ text: String) { write(Array((text + "\n").utf8), to: STDERR_FILENO) }

    /// Prints what has others' words in it as one line.
    static func print(line text: String) { print(oneLine(text)) }

    /// Complains with others' words in it, as one line.
    static func complain(line text: String) { complain(oneLine(text)) }

    /// A text whose control characters are escaped as JSON's are: a document's names end no line, and tell
    /// the terminal nothing.
    static func oneLine(_ text: String) -> String {
        func isControl(_ scalar: Unicode.Scalar) -> Bool {
            [.control, .lineSeparator, .paragraphSeparator]
                .contains(scalar.properties.generalCategory)
        }
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return text.unicodeScalars.reduce(into: "") { line, scalar in
            guard isControl(scalar) else { return line.unicodeScalars.append(scalar) }
            let digits = String(scalar.value, radix: 16)
            line += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }

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
