import System
import Testing

@Suite("Text for a terminal")
struct TerminalTextTests {
    @Test(
        "escapes control characters",
        arguments: [
            ("plain", "plain"), ("naïve – 字 👩‍🚀", "naïve – 字 👩‍🚀"), ("", ""),
            // C0 and DEL (ECMA-48, 5.2), C1 (5.3).
            ("\u{1B}[2J", "\\u001b[2J"), ("a\u{8}b\u{7F}", "a\\u0008b\\u007f"),
            ("\u{9B}31m\u{90}\u{9D}", "\\u009b31m\\u0090\\u009d"), ("\0", "\\u0000"),
            ("a\r\nb\tc", "a\\r\\nb\\tc"),
            // UAX #9: embeddings, overrides, isolates and marks; UAX #14: separators.
            ("a\u{202E}b\u{202C}", "a\\u202eb\\u202c"), ("\u{2066}\u{2069}", "\\u2066\\u2069"),
            ("\u{200E}\u{200F}\u{61C}", "\\u200e\\u200f\\u061c"),
            ("\u{2028}\u{2029}", "\\u2028\\u2029"),
        ]
    )
    func line(_ text: String, _ expected: String) {
        #expect(TerminalText.line(text) == expected)
    }

    @Test("preserves line feeds and tabs in multiline text")
    func lines() {
        #expect(
            TerminalText.lines("{\n\t\"a\u{1B}\"\r\n}\u{9B}") == "{\n\t\"a\\u001b\"\\r\n}\\u009b"
        )
    }
}
