import System
import Glibc

/// Standard error, for a log of text: each event is a line, whatever is in it.
///
/// An error's text may have been a client's: a line feed in it would make a line of its own, and an
/// escape character speak to the terminal.
package struct TextLogOutput: TextOutputStream, Sendable {
    package init() {}

    package mutating func write(_ text: String) {
        _ = Descriptors.write(Array(Self.line(text).utf8), to: STDERR_FILENO)
    }

    /// An event's text with its control characters escaped, but for the line feed at its end.
    static func line(_ text: String) -> String {
        let characters = text.unicodeScalars
        var line = ""
        for character in characters.last == "\n" ? characters.dropLast() : characters[...] {
            JSONText.append(character, to: &line)
        }
        return line + "\n"
    }
}
