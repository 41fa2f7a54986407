import GuardedBytes
import Testing

@testable import HTTPSyntax

@Suite("Lists of structured fields (RFC 9651 §3.1)")
struct StructuredListTests {
    private func parse(_ value: String, maximum: Int = 4) -> [StructuredListItem]? {
        GuardedBytes.with(value.utf8) { StructuredItem.list($0, maximum: maximum) }
    }

    @Test("items have their texts and parameters")
    func items() {
        #expect(
            parse(#"a;b="c, \"d\"";e=f;g ,  "x y";z=?1,2.5"#) == [
                .init(text: "a", parameters: ["b": #"c, "d""#, "e": "f", "g": ""]),
                .init(text: "x y", parameters: ["z": "?1"]),
                .init(text: "2.5", parameters: [:]),
            ]
        )
        #expect(parse("a; b=1;b=2") == [.init(text: "a", parameters: ["b": "2"])])
    }

    @Test(
        "an invalid list is nil",
        arguments: [
            "", " ", "a,", ",a", "a,,b", "a b", "a;", "a;B=1", "a;b=", "a;b=\"c", "(a b)",
            "a;b=\u{E9}",
            "a;b= c", "a, b, c, d, e",
        ]
    )
    func invalid(value: String) { #expect(parse(value) == nil) }

    @Test("the limit counts items")
    func limit() {
        #expect(parse("a, b, c, d")?.count == 4)
        #expect(parse("a", maximum: 0) == nil)
    }
}
