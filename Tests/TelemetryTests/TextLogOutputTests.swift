import Testing

@testable import Telemetry

@Suite("Text logs")
struct TextLogOutputTests {
    @Test(
        "each event has one line, as control characters are escaped",
        arguments: [
            ("all is well\n", "all is well\n"), ("", "\n"), ("no end", "no end\n"),
            ("a\nerror plugboard: forged\n", "a\\nerror plugboard: forged\n"),
            ("a\r\nb\n", "a\\r\\nb\n"), ("\u{1B}[2J\n", "\\u001b[2J\n"),
            ("\u{9B}2J\u{7F}\n", "\\u009b2J\\u007f\n"), ("naïve – 字\t\n", "naïve – 字\\t\n"),
            ("ends\r\n", "ends\\r\n"),
        ]
    )
    func line(text: String, line: String) {
        #expect(TextLogOutput.line(text) == line)
    }
}
