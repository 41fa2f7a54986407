import JSONCodec
import Testing

@testable import Authoring

@Suite("Descriptions of rules and values")
struct RuleDescriptionTests {
    @Test(
        "a value is described by its JSON, and a long one by its beginning",
        arguments: [
            ("null", "null"), (#""a\"é""#, #""a\"é""#),
            (#"[1,{"a":[true,"b"]},{}]"#, #"[1,{"a":[true,"b"]},{}]"#),
            (
                "\"" + String(repeating: "a", count: 118) + "\"",
                "\"" + String(repeating: "a", count: 118) + "\""
            ),
            (
                "\"" + String(repeating: "a", count: 119) + "\"",
                "\"" + String(repeating: "a", count: 118) + "…"
            ),
            (
                "[" + String(repeating: "1,", count: 500) + "1]",
                "[" + String(repeating: "1,", count: 59) + "…"
            ),
            (
                #"{"\#(String(repeating: "n", count: 200))":1}"#,
                #"{"\#(String(repeating: "n", count: 117))…"#
            ),
        ]
    )
    func cut(json: String, text: String) throws {
        #expect(RuleDescription.cut(try JSON(parsing: json.utf8)) == text)
    }

    @Test("only the beginning of a long value is read")
    func large() {
        let values: [JSON] = [
            .string(String(repeating: "x", count: 1 << 20)),
            .array(Array(repeating: "element", count: 100_000)),
            // One character of a million combining marks.
            .string("a" + String(repeating: "\u{301}", count: 1 << 20)),
        ]
        for value in values {
            for _ in 0..<10_000 { #expect(RuleDescription.cut(value).unicodeScalars.count < 500) }
        }
    }
}
