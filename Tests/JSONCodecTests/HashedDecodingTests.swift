import JSONCodec
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Swift's strings are equal if they are canonically equivalent; JSON's names and texts aren't.
@Suite("Dictionaries and sets")
struct HashedDecodingTests {
    private enum Drink: String, Codable, CaseIterable { case coffee = "caf\u{e9}", tea }

    @Test("names that are equal keys only in Swift are rejected (RFC 8259 §8.3)")
    func names() throws {
        let twice = "{\"caf\u{e9}\":1,\"cafe\u{301}\":2}"
        let same = "another member's name is the same key"
        #expect(failure([String: Int].self, twice) == "/cafe\u{301}: \(same)")
        #expect(failure([String: [String: Int]].self, "{\"a\":\(twice)}")?.hasSuffix(same) == true)
        #expect(try decode([String: Int].self, "{\"cafe\u{301}\":2}") == ["cafe\u{301}": 2])
        #expect(failure([Double: Int].self, #"{"1":1,"1.0":2}"#) == "/1.0: \(same)")
        let uuid = "123E4567-E89B-12D3-A456-426614174000"
        let both = "{\"\(uuid)\":1,\"\(uuid.lowercased())\":2}"
        #expect(failure([UUID: Int].self, both)?.hasSuffix(same) == true)
    }

    private struct Point: Codable, Hashable {
        var x: Int
        var y: Int?
    }

    @Test("a dictionary whose keys aren't names is a list of entries, as its schema says")
    func entries() throws {
        let text = #"[{"key":{"x":1},"value":"a"}]"#
        let value = [Point(x: 1): "a"]
        #expect(try encode(value) == text)
        #expect(try decode([Point: String].self, text) == value)
        #expect(try encode([Point: String]()) == "[]")
        #expect(
            try decode([Point: Int?].self, #"[{"key":{"x":1},"value":null}]"#) == [Point(x: 1): nil]
        )
        let twice = #"[{"key":{"x":1},"value":"a"},{"key":{"x":1,"y":null},"value":"b"}]"#
        #expect(failure([Point: String].self, twice) == "/1: its key is an earlier entry's")
        #expect(failure([Point: String].self, #"[{"x":1},"a"]"#) == "/0/key: missing")
        let schema = JSON.schema(of: [Point: String].self)
        #expect(schema["type"] == "array")
        let validator = SchemaValidator(root: schema)
        #expect(validator.violation(try JSON(parsing: Array(text.utf8))) == nil)
        #expect(validator.violation([["x": 1], "a"]) != nil)
    }

    @Test("a set with equal elements is rejected")
    func sets() throws {
        #expect(try decode(Set<Int>.self, "[1,2]") == [1, 2])
        #expect(failure(Set<Int>.self, "[1,2,1]") == "/2: equal to an earlier element")
        let accents = "[\"\u{e9}\",\"e\u{301}\"]"
        #expect(failure(Set<String>.self, accents) == "/1: equal to an earlier element")
        #expect(JSON.schema(of: Set<Int>.self)["uniqueItems"] == true)
    }

    @Test("an enum's value has one byte sequence (RFC 8259 §8.3)")
    func spelling() throws {
        #expect(try decode([Drink].self, "[\"caf\u{e9}\"]") == [.coffee])
        #expect(failure([Drink].self, "[\"cafe\u{301}\"]")?.hasPrefix("/0: unknown value") == true)
        #expect(failure([Drink: Int].self, "{\"cafe\u{301}\":1}")?.contains("unknown") == true)
    }
}
