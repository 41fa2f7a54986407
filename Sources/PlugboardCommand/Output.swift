import Glibc
import JSONCodec
import System

/// The command's standard streams, unbuffered, so that a pipe receives each line immediately.
///
/// If the standard output can't be written, the command ends with the reason and status 1.
enum Output {
    static func print(_ text: String) { write(Array((text + "\n").utf8)) }

    /// Prints JSON with a line for each member.
    static func print(_ json: JSON) {
        print(String(decoding: json.encoded(pretty: true), as: UTF8.self))
    }

    /// Prints a text and ignores write errors: the command continues without it.
    static func announce(_ text: String) {
        _ = Descriptors.write(Array((text + "\n").utf8), to: STDOUT_FILENO)
    }

    /// Writes a text to the standard error and ignores write errors.
    static func writeError(_ text: String) {
        _ = Descriptors.write(Array((text + "\n").utf8), to: STDERR_FILENO)
    }

    /// Prints a text with untrusted parts as one line.
    static func print(line text: String) { print(oneLine(text)) }

    /// Writes a text with untrusted parts to the standard error, as one line.
    static func writeError(line text: String) { writeError(oneLine(text)) }

    /// Returns a text with its control characters escaped as in JSON.
    ///
    /// A document's names could otherwise add lines or send commands to the terminal.
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

    /// Prints bytes unchanged.
    static func write(_ bytes: [UInt8]) {
        guard let code = Descriptors.write(bytes, to: STDOUT_FILENO) else { return }
        writeError(
            "Error: the standard output can't be written: \(String(cString: strerror(code)))"
        )
        exit(EXIT_FAILURE)
    }
}
