import Glibc
import JSONCodec
import System

/// The command's standard streams: unbuffered, so that a pipe sees a line when it is written.
///
/// What a command prints is what it is for: where the standard output doesn't take it all, the command ends
/// there, with status 1 and the reason.
enum Output {
    static func print(_ text: String) { write(Array((text + "\n").utf8)) }

    /// Prints JSON with a line for each member.
    static func print(_ json: JSON) {
        print(String(decoding: json.encoded(pretty: true), as: UTF8.self))
    }

    /// Prints what a command that goes on can do without.
    static func announce(_ text: String) {
        _ = Descriptors.write(Array((text + "\n").utf8), to: STDOUT_FILENO)
    }

    /// Tells people; where nobody hears it there is nobody to tell.
    static func complain(_ text: String) {
        _ = Descriptors.write(Array((text + "\n").utf8), to: STDERR_FILENO)
    }

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

    /// Prints bytes as they are.
    static func write(_ bytes: [UInt8]) {
        guard let code = Descriptors.write(bytes, to: STDOUT_FILENO) else { return }
        complain("Error: the standard output can't be written: \(String(cString: strerror(code)))")
        exit(EXIT_FAILURE)
    }
}
