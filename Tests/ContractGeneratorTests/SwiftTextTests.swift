import Testing

@testable import ContractGenerator

@Suite("Texts of generated code")
struct SwiftTextTests {
    @Test(
        "a literal has escapes for everything that could end it",
        arguments: [
            ("a", "\"a\""), ("a\"b", "\"a\\\"b\""), ("a\\b", "\"a\\\\b\""),
            ("\\(exit(1))", "\"\\\\(exit(1))\""), ("a\nb", "\"a\\nb\""), ("\r", "\"\\u{d}\""),
            ("\u{0}", "\"\\u{0}\""), ("\u{202E}", "\"\\u{202e}\""), ("é", "\"é\""),
            ("\u{2028}", "\"\\u{2028}\""), ("", "\"\""),
        ]
    )
    func literals(_ text: String, _ expected: String) {
        #expect(SwiftText.literal(text) == expected)
    }

    @Test("each line of a comment begins with its mark")
    func comments() {
        let lines = SwiftText.comment(
            "One\r\ntwo\rthree\u{2028}four\u{85}*/ import Glibc\n\n\n",
            indent: ""
        )
        #expect(lines == ["/// One", "/// two", "/// three", "/// four", "/// */ import Glibc"])
    }

    @Test("a comment keeps its paragraphs and breaks long lines")
    func paragraphs() {
        #expect(
            SwiftText.comment("a\n\n\nb", indent: "    ") == ["    /// a", "    ///", "    /// b"]
        )
        let long = SwiftText.comment(String(repeating: "word ", count: 100), indent: "")
        #expect(long.count > 1 && long.allSatisfy { $0.count <= 110 })
    }

    @Test("control characters and marks that reorder text are removed from comments")
    func controls() {
        #expect(SwiftText.comment("a\u{0}b\u{202E}c\u{1B}[1m", indent: "") == ["/// a b c [1m"])
        #expect(SwiftText.comment(" \n\t\n", indent: "") == [])
    }

    @Test("a comment has a limit")
    func limit() {
        let lines = SwiftText.comment(String(repeating: "x\n", count: 100_000), indent: "")
        #expect(lines.count <= 4_000)
    }
}
