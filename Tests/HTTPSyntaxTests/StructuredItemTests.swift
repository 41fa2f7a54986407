import GuardedBytes
import Testing

@testable import HTTPSyntax

@Suite("Structured fields with one item (RFC 9651 §3.3)")
struct StructuredItemTests {
    private func parse(_ value: String) -> String? {
        GuardedBytes.with(value.utf8) { StructuredItem.text($0) }
    }

    @Test(
        "quoted and bare spellings of a text are equal",
        arguments: [
            ("\"8e03978e-40d5\"", "8e03978e-40d5"), ("8e03978e-40d5", "8e03978e-40d5"),
            ("a", "a"), ("*a", "*a"), ("YWJj+/==", "YWJj+/=="), (":YQ==:", ":YQ==:"),
            ("order:1/2(x)", "order:1/2(x)"), ("\"a b, c; d\"", "a b, c; d"),
            (#""a\"b\\c""#, #"a"b\c"#), ("\"\"", ""),
        ]
    )
    func text(value: String, text: String) {
        #expect(parse(value) == text)
    }

    @Test(
        "parameters are ignored (§3.1.2)",
        arguments: [
            "a;b", "a;b=1", "a; b=c;  d=\"e;f\\\"\"", "\"a\";b=?0", "a;*b_-.*2=:YQ==:", "a;b=@1",
            "a;b=%\"f%c3%bc\"", "a;b=-1.5",
        ]
    )
    func parameters(value: String) {
        #expect(parse(value) == "a")
    }

    @Test(
        "an invalid item is rejected",
        arguments: [
            "", " ", "a b", "a,b", "a, b", "\"a", "a\"", "\"a\"b", "\"a\\b\"", "\"a\\\"", "\"a\\",
            "\"\u{E9}\"", "\u{E9}", "\"a\tb\"", "a\tb", "a\u{7F}", "\"a\", \"b\"", "a\\b",
            "\"a\"\"b\"",
            "(\"a\")",
        ]
    )
    func invalid(value: String) {
        #expect(parse(value) == nil)
    }

    @Test(
        "an item with invalid parameters is rejected",
        arguments: [
            ";", ";b", "a;", "a; ", "a;;b", "a ;b", "a;B", "a;1", "a;b=", "a;b=,", "a;b=\"c",
            "a;b=\"c\"d",
            "a;b c", "a;b=c d", "a;b=\u{E9}", "a;b,c", "a;b=c\"d\"",
        ]
    )
    func invalidParameters(value: String) {
        #expect(parse(value) == nil)
    }

    @Test("an item without quotes is parsed without its parameters")
    func bare() {
        func read(_ value: String) -> String? {
            GuardedBytes.with(value.utf8) { StructuredItem.bare($0)?.text }
        }
        #expect(read("2.5") == "2.5")
        #expect(read("2.5;a; b=\"c\"") == "2.5")
        for value in ["", ";a", "\"a\"", "2,5", "2.5;", "2.5 ;a"] { #expect(read(value) == nil) }
    }
}
