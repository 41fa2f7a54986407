import Settings
import Testing

@Suite("Types of option values")
struct SettingValueTests {
    @Test("a value can be restored from its texts")
    func roundTrip() {
        #expect(Int(texts: 7.texts) == 7)
        #expect(UInt16(texts: (65_535 as UInt16).texts) == 65_535)
        #expect(Bool(texts: true.texts) == true)
        #expect(String(texts: "a,b".texts) == "a,b")
        #expect([String](texts: ["a", "b"].texts) == ["a", "b"])
        #expect(Options.Format(texts: Options.Format.json.texts) == .json)
    }

    @Test("a single value has exactly one text", arguments: [[], ["1", "2"]])
    func count(texts: [String]) {
        #expect(Int(texts: texts) == nil)
        #expect(String(texts: texts) == nil)
        #expect(Options.Format(texts: texts) == nil)
    }

    @Test(
        "an invalid text is rejected",
        arguments: ["", " 1", "1.0", "0x1", "99999999999999999999"]
    )
    func invalid(text: String) {
        #expect(Int(texts: [text]) == nil)
        #expect(UInt16(texts: [text]) == nil)
        #expect(Bool(texts: [text]) == nil)
        #expect(Options.Format(texts: [text]) == nil)
    }

    @Test("an optional value accepts the same texts, and has none if it is unset")
    func optional() {
        #expect(Optional<Int>(texts: ["5"]) == .some(.some(5)))
        #expect(Optional<Int>(texts: ["x"]) == .none)
        #expect((nil as Int?).texts.isEmpty)
        #expect(Optional<Int>.expected == Int.expected)
        #expect(Optional<Int>.form == Int.form)
    }

    @Test("an enumeration lists its words")
    func words() {
        #expect(Options.Format.expected == "\"text\" or \"json\"")
        #expect(Options.Format(texts: ["JSON"]) == nil)
    }
}
