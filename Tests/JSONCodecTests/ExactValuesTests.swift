import JSONCodec
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A value is stored as it was sent, or rejected: nothing is repaired.
@Suite("Exact values")
struct ExactValuesTests {
    private enum Drink: String, Codable, CaseIterable { case coffee = "caf\u{e9}", tea }
    private enum Size: String, Codable, CaseIterable { case small, large }
    private enum Level: Int, Codable { case low = 1, high }
    private struct Pair: Codable, Hashable { var x: Int }

    @Test(
        "a URL outside of RFC 3986's grammar is rejected, not percent-encoded",
        arguments: [
            "not a url", "caf\u{e9}", "%zz", "%4", "a\\b", "<a>", "http://[::1", "http://a b/",
            "http://h:80a/", "1a:b", ":a", "a#b#c", "http://u@v@h/", "[a]", "a|b", "a^b", "\"",
            "http://[v.x]/", "http://[::1]x/",
        ]
    )
    func invalidURLs(text: String) throws {
        let json = String(decoding: JSON.string(text).encoded(), as: UTF8.self)
        #expect(failure([URL].self, "[\(json)]") == "/0: expected a URL")
    }

    @Test(
        "a URI or a relative reference has the same bytes after decoding (RFC 3986 §4.1)",
        arguments: [
            "https://example.com/", "HTTP://EXAMPLE.com:8080/%7ea?q=a/b?c#d?", "a/b", "/a:b",
            "?q", "#f", "../x", "//host/p", "urn:x:%20", "mailto:a@b", "http://[::1]:80/",
            "http://u:p@h", "http://[v1.a:b]/", "file:///a", "a%2Fb", ".", "./a:b", "x:",
        ]
    )
    func validURLs(text: String) throws {
        #expect(try encode(decode([URL].self, "[\"\(text)\"]")) == "[\"\(text)\"]")
    }

    @Test("names that are one key in Swift only are rejected (RFC 8259 §8.3)")
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

    @Test(
        "an integer has one name",
        arguments: ["01", "+1", "-0", "1.0", "1e0", " 1", "", "x", "\u{661}"]
    )
    func integerNames(text: String) {
        #expect(
            failure([Int: Int].self, "{\"\(text)\":1}")
                == "/\(text): the member's name: expected an integer"
        )
    }

    @Test("a key of any scalar type is a name, both ways")
    func keys() throws {
        #expect(try encode([Size.small: 1, .large: 2]) == #"{"large":2,"small":1}"#)
        #expect(try decode([Size: Int].self, #"{"small":1}"#) == [.small: 1])
        #expect(try decode([Int: Int].self, #"{"\u0037":1,"-8":2}"#) == [7: 1, -8: 2])
        #expect(try encode([Level.high: true]) == #"{"2":true}"#)
        #expect(try decode([Level: Bool].self, #"{"2":true}"#) == [.high: true])
        #expect(try encode([Int8(-3): 1]) == #"{"-3":1}"#)
        let uuid = UUID()
        #expect(try encode([uuid: 1]) == "{\"\(uuid)\":1}")
        #expect(try decode([UUID: Int].self, "{\"\(uuid)\":1}") == [uuid: 1])
        #expect(try encode([Size: Int]()) == "{}")
        #expect(failure([Size: Int].self, #"["small",1]"#) == "expected an object")
        #expect(
            failure([Size: Int].self, #"{"huge":1}"#)
                == #"/huge: the member's name: unknown value "huge": expected one of small, large"#
        )
        #expect(failure([UUID: Int].self, #"{"x":1}"#) == "/x: the member's name: expected a UUID")
        // A key with members can't be a name.
        #expect(try decode([Pair: Int].self, #"[{"x":1},2]"#) == [Pair(x: 1): 2])
        #expect(try encode([Pair: Int]()) == "[]")
    }

    @Test("two keys with one text aren't encoded")
    func equalTexts() {
        let dates = [
            Date(timeIntervalSince1970: 1e9): 1, Date(timeIntervalSince1970: 1e9 + 2e-7): 2,
        ]
        #expect(failure { _ = try encode(dates) } == "two keys have the same name")
    }

    @Test("an enum's value has one spelling (RFC 8259 §8.3)")
    func spelling() throws {
        #expect(try decode([Drink].self, "[\"caf\u{e9}\"]") == [.coffee])
        #expect(failure([Drink].self, "[\"cafe\u{301}\"]")?.hasPrefix("/0: unknown value") == true)
        #expect(failure([Drink: Int].self, "{\"cafe\u{301}\":1}")?.contains("unknown") == true)
    }

    @Test("a set loses no element")
    func sets() throws {
        #expect(try decode(Set<Int>.self, "[1,2]") == [1, 2])
        #expect(failure(Set<Int>.self, "[1,2,1]") == "/2: equal to an earlier element")
        let accents = "[\"\u{e9}\",\"e\u{301}\"]"
        #expect(failure(Set<String>.self, accents) == "/1: equal to an earlier element")
        #expect(JSON.schema(of: Set<Int>.self)["uniqueItems"] == true)
    }

    @Test("negative zero keeps its sign")
    func negativeZero() throws {
        #expect(try decode(Double.self, "-0.0").sign == .minus)
        #expect(try encode([-0.0, 0.0]) == "[-0,0]")
        #expect(try decode(Double.self, encode(-0.0)).sign == .minus)
        #expect(try decode(Float.self, encode(-Float.zero)).sign == .minus)
    }

    @Test("a decimal keeps all digits or is rejected")
    func decimals() throws {
        let digits = String(repeating: "9", count: 38)
        #expect(try encode(decode(Decimal.self, digits)) == digits)
        #expect(try encode(decode(Decimal.self, "0.\(digits)")) == "0.\(digits)")
        #expect(try decode(Decimal.self, "1.50e3") == 1500)
        for text in [
            "1\(digits)1", "0.1\(digits)1", "-1\(digits)1", "1e400", "1e-400", "1e99999999999999",
        ] {
            #expect(failure([Decimal].self, "[\(text)]")?.hasPrefix("/0: ") == true, "\(text)")
        }
    }

    @Test("a date keeps the digits of its fraction or is rejected")
    func fractions() throws {
        for text in [
            "2026-01-31T12:00:00.123456Z", "2026-01-31T12:00:00.000001Z", "2026-01-31T12:00:00.9Z",
            "1970-01-01T00:00:00.000001Z", "0001-01-01T00:00:00.5Z", "9999-12-31T23:59:59.999Z",
        ] {
            #expect(try encode(decode([Date].self, "[\"\(text)\"]")) == "[\"\(text)\"]")
        }
        #expect(
            try encode(decode([Date].self, #"["2026-01-31T12:00:00.2500000000Z"]"#)).contains(
                ".25Z"
            )
        )
        for text in ["2026-01-31T12:00:00.1234567Z", "9999-12-31T23:59:59.123456Z"] {
            #expect(
                failure([Date].self, "[\"\(text)\"]")
                    == "/0: expected a fraction of at most six digits"
            )
        }
    }

    @Test("the schema of a dictionary says which names it has")
    func schemas() {
        let sizes = JSON.schema(of: [Size: Int].self)
        #expect(sizes["type"] == "object")
        #expect(sizes["propertyNames"]?["enum"] == ["small", "large"])
        #expect(JSON.schema(of: [UUID: Int].self)["propertyNames"]?["format"] == "uuid")
        let pattern = "^(0|-?[1-9][0-9]*)$"
        #expect(JSON.schema(of: [Int: Int].self)["propertyNames"] == ["pattern": .string(pattern)])
        #expect(JSON.schema(of: [String: Int].self)["propertyNames"] == nil)
        #expect(JSON.schema(of: Float.self)["maximum"]?.double == 3.4028235e38)
        #expect(JSON.schema(of: Decimal.self)["maximum"] != nil)
    }
}
