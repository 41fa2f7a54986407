import JSONCodec
import Testing

@Suite("A JSON value")
struct JSONTests {
    @Test("can be written as a literal")
    func literals() {
        let value: JSON = [
            "id": 42, "ratio": 0.5, "title": "sea", "tags": ["a", nil], "done": true,
        ]
        #expect(
            value.description
                == #"{"id":42,"ratio":0.5,"title":"sea","tags":["a",null],"done":true}"#
        )
    }

    @Test("is accessed by name, index and kind")
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

    @Test("sets, adds and removes members and preserves the others")
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

    @Test("is equal and hashes alike in any order of members")
    func equality() throws {
        let one = try json(#"{"a":1,"b":[2]}"#)
        let other = try json(#"{"b":[2],"a":1}"#)
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
        #expect(try json(#"{"a":1}"#) != one)
        #expect(try json("1.0") != json("1"))
    }

    @Test("distinguishes texts by their bytes")
    func accents() {
        let (one, other): (JSON, JSON) = (["e\u{301}"], ["\u{E9}"])
        #expect(one != other)
        #expect(Set([one, other]).count == 2)
    }
}
