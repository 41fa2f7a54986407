import JSONCodec
import SeededNumbers
import Testing

@Suite("The text of a JSON value")
struct JSONTextTests {
    @Test("preserves the order of members and the text of numbers")
    func verbatim() throws {
        let text = #"{"z":1.10,"a":[1e2,-0,123456789012345678901234567890],"é":"\/"}"#
        #expect(
            try json(text).description == text.replacing(#"\/"#, with: "/")
        )
    }

    @Test("escapes only characters that need it")
    func escapes() {
        let value: JSON = .string("\u{0}\u{1F}\"\\/\u{8}\u{C}\n\r\t\u{7F}é\u{2028}🙂")
        #expect(
            value.description
                == #""\u0000\u001f\"\\/\b\f\n\r\t"# + "\u{7F}é\u{2028}🙂\""
        )
    }

    @Test("can be written with indentation")
    func pretty() throws {
        let value = try json(#"{"a":[1,{"b":[]}],"c":{}}"#)
        #expect(
            String(decoding: value.encoded(pretty: true), as: UTF8.self) == """
                {
                  "a": [
                    1,
                    {
                      "b": []
                    }
                  ],
                  "c": {}
                }
                """
        )
        #expect(try JSON(parsing: value.encoded(pretty: true)) == value)
    }

    @Test("random values are equal after writing and parsing")
    func roundTrip() throws {
        var random = SeededNumbers(seed: 2026)
        for _ in 0..<500 {
            let value = random.json(depth: 5)
            #expect(try JSON(parsing: value.encoded()) == value)
            #expect(try JSON(parsing: value.encoded(pretty: true)) == value)
            #expect(try JSON.decode(JSON.self, from: JSON.encode(value)) == value)
            #expect(try JSON(encoding: value) == value)
            #expect(try value.decode(JSON.self) == value)
        }
    }
}
