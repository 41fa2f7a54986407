import System
import Glibc

/// Standard error as a text log with one line for each event.
///
/// Control characters are escaped. An error's text may come from a client, and could otherwise
/// forge log lines or send escape sequences to a terminal.
package struct TextLogOutput: TextOutputStream, Sendable {
    package init() {}

    package mutating func write(_ text: String) {
        _ = Descriptors.write(Array(Self.line(text).utf8), to: STDERR_FILENO)
    }

    /// Escapes an event's control characters, except the line feed at its end.
    static func line(_ text: String) -> String {
        let characters = text.unicodeScalars
        let event = characters.last == "\n" ? characters.dropLast() : characters[...]
        return TerminalText.line(String(event)) + "\n"
    }
}
