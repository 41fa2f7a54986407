import JSONCodec
import SeededNumbers
import Testing

@Suite("A JSON value")
struct JSONTests {
    @Test("is written by literals")
    func literals() {
        let value: JSON = [
            "id": 42, "ratio": 0.5, "title": "sea", "tags": ["a", nil], "done": true,
        ]
        #expect(
            value.description
                == #"{"id":42,"ratio":0.5,"title":"sea","tags":["a",null],"done":true}"#
        )
    }

    @Test("is read by names, indexes and kinds")
    func accessors() throws {
        let value = try json(#"{"a": [1, "x", true, 2.5], "b": {"c": null}}"#)
        #expect(value["a"]?[0]?.int == 1)
        #expect(value["a"]?[1]?.string == "x")
        #expect(value["a"]?[2]?.bool == true)
        #expect(value["a"]?[3]?.double == 2.5)
        #expect(value["a"]?.array?.count == 4)
        #expect(value["b"]?["c"] == .null)
        #expect(value["b"]?.object?.count == 1)
        #expect(value["a"]?[4] == nil)
        #expect(value["a"]?["x"] == nil)
        #expect(value["c"] == nil)
        #expect(value[0] == nil)
        #expect(value.string == nil && value.bool == nil && value.int == nil)
    }

    @Test("sets, adds and removes members and keeps the others")
    func members() throws {
        var value = try json(#"{"a": 1, "b": 2, "c": 3}"#)
        value["b"] = "two"
        value["a"] = nil
        value["d"] = 4
        #expect(value.description == #"{"b":"two","c":3,"d":4}"#)
        var number: JSON = 1
        number["a"] = 2
        #expect(number == 1)
    }

    @Test("keeps the order of members and the text of numbers")
    func verbatim() throws {
        let text = #"{"z":1.10,"a":[1e2,-0,123456789012345678901234567890],"é":"\/"}"#
        #expect(
            try json(text).description == text.replacing(#"\/"#, with: "/")
        )
    }

    @Test("escapes what must be escaped and nothing else")
    func escapes() {
        let value: JSON = .string("\u{0}\u{1F}\"\\/\u{8}\u{C}\n\r\t\u{7F}é\u{2028}🙂")
        #expect(
            value.description
                == #""\u0000\u001f\"\\/\b\f\n\r\t"# + "\u{7F}é\u{2028}🙂\""
        )
    }

    @Test("can be laid out for people")
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

    @Test("equals another whatever the order of members, and hashes alike")
    func equality() throws {
        let one = try json(#"{"a":1,"b":[2]}"#)
        let other = try json(#"{"b":[2],"a":1}"#)
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
        #expect(try json(#"{"a":1}"#) != one)
        #expect(try json("1.0") != json("1"))
    }

    @Test("tells texts apart by their bytes")
    func accents() {
        let (one, other): (JSON, JSON) = (["e\u{301}"], ["\u{E9}"])
        #expect(one != other)
        #expect(Set([one, other]).count == 2)
    }

    @Test("survives writing and reading, whatever it holds")
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

@Suite("A JSON object")
struct JSONObjectTests {
    @Test("tells names apart by their bytes")
    func exactNames() throws {
        let composed = "\u{E9}"
        let decomposed = "e\u{301}"
        var object: JSON.Object = [:]
        object[composed] = 1
        object[decomposed] = 2
        #expect(object.count == 2)
        #expect(object[composed] == 1)
        let value = try json("{\"\(composed)\":1,\"\(decomposed)\":2}")
        #expect(value[decomposed] == 2)
    }

    @Test("finds, replaces and removes members, few or many")
    func many() {
        for count in [3, 16, 17, 500] {
            var object = JSON.Object((0..<count).map { ("k\($0)", JSON.number(.init($0))) })
            #expect(object.count == count)
            object["k1"] = "one"
            object["k0"] = nil
            object["new"] = true
            #expect(object["k1"] == "one")
            #expect(object["k0"] == nil)
            #expect(object["k\(count - 1)"]?.int == count - 1)
            #expect(object.names.first == "k1")
            #expect(object.names.last == "new")
            object["absent"] = nil
            #expect(object.count == count)
        }
    }

    @Test("takes the last of several members with one name from a literal")
    func lastWins() {
        let object: JSON.Object = ["a": 1, "b": 2, "a": 3]
        #expect(object.map(\.name) == ["a", "b"])
        #expect(object["a"] == 3)
        #expect(JSON.Object().isEmpty)
    }
}

@Suite("A JSON number")
struct JSONNumberTests {
    @Test(
        "is an integer exactly when its amount is",
        arguments: [
            ("1", 1), ("-0", 0), ("1.0", 1), ("1e2", 100), ("1.50e1", 15), ("100e-2", 1),
            ("0e999999999999999999", 0), ("0.00", 0), ("9223372036854775807", Int.max),
            ("-9223372036854775808", Int.min), ("-922337203685477580.8e1", Int.min),
            ("0.001e3", 1), ("10.0", 10),
        ]
    )
    func integers(_ text: String, _ value: Int) {
        #expect(JSON.Number(text)?.int == value)
    }

    @Test(
        "is no integer when it is fractional or too big",
        arguments: [
            "1.5", "1e-1", "9223372036854775808", "-9223372036854775809", "1e19",
            "1e999999999999999",
            "1e-99999999999999999999", "123456789012345678901234567890",
        ]
    )
    func notIntegers(_ text: String) {
        #expect(JSON.Number(text) != nil)
        #expect(JSON.Number(text)?.int == nil)
    }

    @Test(
        "is the nearest double",
        arguments: [
            ("0.1", 0.1), ("-2.5e-3", -0.0025), ("1e22", 1e22), ("1e23", 1e23),
            ("5e-324", Double.leastNonzeroMagnitude),
            ("1.7976931348623157e308", .greatestFiniteMagnitude), ("1e-400", 0),
            ("9007199254740993", 9_007_199_254_740_992), ("0.30000000000000004", 0.1 + 0.2),
        ]
    )
    func doubles(_ text: String, _ value: Double) {
        #expect(JSON.Number(text)?.double == value)
    }

    @Test("is no double beyond the range")
    func infinite() {
        #expect(JSON.Number("1e400")?.double == nil)
        #expect(JSON.Number(Double.infinity) == nil)
        #expect(JSON.Number(Double.nan) == nil)
    }

    @Test(
        "comes from text only if that is one number",
        arguments: [
            "", "-", "+1", "01", "1.", ".5", "1e", "1e+", "0x1", "NaN", "Infinity", " 1", "1 ",
            "1,",
        ]
    )
    func notNumbers(_ text: String) {
        #expect(JSON.Number(text) == nil)
    }

    @Test(
        "is written as JavaScript writes it",
        arguments: [
            (1.0, "1"), (-0.0, "0"), (0.5, "0.5"), (1e20, "100000000000000000000"), (1e21, "1e+21"),
            (123456789.125, "123456789.125"), (1e-6, "0.000001"), (1.5e-7, "1.5e-7"),
            (-1e300, "-1e+300"),
            (Double.leastNonzeroMagnitude, "5e-324"), (100, "100"),
            (0.1 + 0.2, "0.30000000000000004"),
        ]
    )
    func shortest(_ value: Double, _ text: String) throws {
        #expect(JSON.Number(value)?.text == text)
        #expect(JSON.Number(text)?.double == value)
    }
}
