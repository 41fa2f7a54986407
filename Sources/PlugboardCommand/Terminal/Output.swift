import Glibc
import JSONCodec
import System

/// The command's standard streams, unbuffered, so that a pipe receives each line immediately.
///
/// Texts may have parts of documents, servers and other people. ``TerminalText`` escapes their
/// control characters: always in a line, and in JSON and bytes if a terminal shows them. JSON and
/// bytes in a file or a pipe are unchanged.
///
/// If the standard output can't be written, the command ends with the reason and status 1.
enum Output {
    /// Prints a text as one line.
    static func print(_ text: String) { write(line: TerminalText.line(text)) }

    /// Prints JSON with a line for each member.
    static func print(_ json: JSON) {
        write(json.encoded(pretty: true) + [UInt8(ascii: "\n")])
    }

    /// Prints a value as JSON with a line for each member.
    static func print(encoding value: some Encodable) throws {
        print(try JSON(parsing: JSON.encode(value)))
    }

    /// Prints lines and ignores write errors: the command continues without them.
    static func announce(_ text: String) {
        _ = Descriptors.write(Array((TerminalText.lines(text) + "\n").utf8), to: STDOUT_FILENO)
    }

    /// Writes a text to the standard error as one line, and ignores write errors.
    static func writeError(_ text: String) {
        _ = Descriptors.write(Array((TerminalText.line(text) + "\n").utf8), to: STDERR_FILENO)
    }

    /// Prints bytes: unchanged into a file or a pipe, as visible text on a terminal.
    static func write(_ bytes: [UInt8]) {
        guard let code = Descriptors.write(shown(bytes, on: STDOUT_FILENO), to: STDOUT_FILENO)
        else { return }
        writeError(
            "Error: the standard output can't be written: \(String(cString: strerror(code)))"
        )
        exit(EXIT_FAILURE)
    }

    /// Returns bytes as a descriptor gets them: with escapes if it is a terminal.
    static func shown(_ bytes: [UInt8], on descriptor: CInt) -> [UInt8] {
        guard isatty(descriptor) == 1 else { return bytes }
        return Array(TerminalText.lines(String(decoding: bytes, as: UTF8.self)).utf8)
    }

    private static func write(line: String) { write(Array((line + "\n").utf8)) }
}
