import JSONCodec
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Encoding")
struct ArenaEncoderTests {
    struct Likes: Codable, Equatable {
        var photo: Int
        var likes: Int
        var note: String?
    }

    @Test("sorts members by the bytes of their names")
    func sorted() throws {
        #expect(try encode(Likes(photo: 42, likes: 1)) == #"{"likes":1,"photo":42}"#)
        let names = [
            "b", "a", "ab", "", "Z", "é", "\"", "\\", "\n", "~", "a\u{0}", "🙂", "\u{FFFF}",
        ]
        let text = try encode(Dictionary(uniqueKeysWithValues: names.map { ($0, 0) }))
        let order = try #require(json(text).object?.names)
        #expect(order == names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        let many = Dictionary(
            uniqueKeysWithValues: (0..<1_000).map { ("k\($0 * 7919 % 1_000)", $0) }
        )
        let manyNames = try #require(json(encode(many)).object?.names)
        #expect(manyNames == many.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        #expect(
            try encode(json(#"{"b":{"d":1,"c":2},"a":1.10}"#)) == #"{"a":1.10,"b":{"c":2,"d":1}}"#
        )
    }

    @Test("writes every scalar")
    func scalars() throws {
        #expect(try encode([Int.min, Int.max, 0, -1, 10]) == "[\(Int.min),\(Int.max),0,-1,10]")
        #expect(try encode([UInt128.max]) == "[\(UInt128.max)]")
        #expect(try encode([Int128.min]) == "[\(Int128.min)]")
        #expect(try encode([Int8.min, .max]) == "[-128,127]")
        #expect(try encode([1.0, 0.1, 1e300, -2.5]) == "[1,0.1,1e+300,-2.5]")
        #expect(try encode([Float(0.1)]) == "[0.1]")
        #expect(try encode([true, nil, false]) == "[true,null,false]")
        #expect(try encode("a/\"\\\u{1}\u{2028}é") == #""a/\"\\\u0001"# + "\u{2028}é\"")
        #expect(try encode(String?.none) == "null")
        #expect(try encode([Int]()) == "[]")
        #expect(try encode([String: Int]()) == "{}")
        struct Nothing: Codable {}
        #expect(try encode([Nothing()]) == "[{}]")
    }

    @Test("writes dates, URLs, UUIDs, data and decimals as texts and numbers")
    func foundation() throws {
        func text(_ seconds: Double) throws -> String {
            try encode(Date(timeIntervalSince1970: seconds))
        }
        #expect(try text(1_769_860_800) == #""2026-01-31T12:00:00Z""#)
        #expect(try text(1_769_860_800.25) == #""2026-01-31T12:00:00.25Z""#)
        #expect(try text(0.9999999) == #""1970-01-01T00:00:01Z""#)
        #expect(try text(-0.5) == #""1969-12-31T23:59:59.5Z""#)
        #expect(try text(951_782_400) == #""2000-02-29T00:00:00Z""#)
        #expect(failure { _ = try text(1e15) } == "not a date of the years 1 to 9999")
        let url = try #require(URL(string: "https://eleven-labs.com/"))
        #expect(try encode(["u": url]) == #"{"u":"https://eleven-labs.com/"}"#)
        let uuid = UUID()
        #expect(try encode(uuid) == "\"\(uuid)\"")
        #expect(try encode(Data([1, 2, 3])) == #""AQID""#)
        let decimal = try #require(Decimal(string: "12345678901234567890.12"))
        #expect(try encode(decimal) == "12345678901234567890.12")
        #expect(failure { _ = try encode([Decimal.nan]) } == "/0: not a finite number")
    }

    @Test("refuses what JSON cannot hold, and says where")
    func notFinite() {
        #expect(
            failure { _ = try encode(["a/b": [0, Double.nan]]) } == "/a~1b/1: not a finite number"
        )
        #expect(failure { _ = try encode(-Float.infinity) } == "not a finite number")
        struct Rude: Encodable {
            func encode(to encoder: any Encoder) throws {
                throw EncodingError.invalidValue(
                    self,
                    EncodingError.Context(
                        codingPath: encoder.codingPath,
                        debugDescription: "a Rude"
                    )
                )
            }
        }
        #expect(failure { _ = try encode(["x": Rude()]) } == "/x: not a valid value")
    }

    @Test("appends to bytes that are there, and leaves them alone when it fails")
    func appends() throws {
        var bytes = Array("data: ".utf8)
        try JSON.encode(Likes(photo: 1, likes: 2), into: &bytes)
        #expect(throws: JSONTypeError.self) { try JSON.encode(Double.nan, into: &bytes) }
        #expect(String(decoding: bytes, as: UTF8.self) == #"data: {"likes":2,"photo":1}"#)
    }

    @Test("fills containers in whatever order they are written")
    func interleaved() throws {
        struct Odd: Encodable {
            enum Key: String, CodingKey { case a, b, c, d, e }
            func encode(to encoder: any Encoder) throws {
                var members = encoder.container(keyedBy: Key.self)
                var list = members.nestedUnkeyedContainer(forKey: .b)
                var object = members.nestedContainer(keyedBy: Key.self, forKey: .a)
                try list.encode(1)
                try object.encode("x", forKey: .c)
                try list.encode("two")
                var inner = list.nestedContainer(keyedBy: Key.self)
                try members.encode(true, forKey: .d)
                var innerList = list.nestedUnkeyedContainer()
                try innerList.encodeNil()
                try inner.encodeNil(forKey: .e)
                try Int(7).encode(to: list.superEncoder())
                try object.encode(2.5, forKey: .b)
                try "sup".encode(to: members.superEncoder())
                try [1].encode(to: members.superEncoder(forKey: .c))
                #expect(list.count == 5)
                var again = members.nestedContainer(keyedBy: Key.self, forKey: .a)
                try again.encode(UInt8(3), forKey: .a)
                var same = encoder.container(keyedBy: Key.self)
                try same.encode(false, forKey: .d)
            }
        }
        #expect(
            try encode(Odd())
                == #"{"a":{"a":3,"b":2.5,"c":"x"},"b":[1,"two",{"e":null},[null],7],"#
                + #""c":[1],"d":false,"super":"sup"}"#
        )
    }

    @Test("leaves out a value that failed and was given up")
    func givenUp() throws {
        struct Hopeful: Encodable {
            func encode(to encoder: any Encoder) throws {
                var list = encoder.unkeyedContainer()
                try list.encode(1)
                try? list.encode([Double.infinity])
                try? list.encode(Double.nan)
                #expect(list.count == 1)
                try list.encode(Fallback())
            }
        }
        struct Fallback: Encodable {
            func encode(to encoder: any Encoder) throws {
                var value = encoder.singleValueContainer()
                do { try value.encode([Double.nan]) } catch { try value.encode("nan") }
            }
        }
        #expect(try encode(Hopeful()) == #"[1,"nan"]"#)
        struct Twofold: Encodable {
            func encode(to encoder: any Encoder) throws {
                _ = encoder.container(keyedBy: TapeDecoderTests.Key.self)
                _ = encoder.unkeyedContainer()
            }
        }
        #expect(failure { _ = try encode([Twofold()]) } == "/0: written as two kinds of value")
    }

    @Test("lets an encoder outlive the call that made it")
    func escaping() throws {
        final class Box { var encoder: (any Encoder)? }
        struct Keeper: Encodable {
            let box: Box
            func encode(to encoder: any Encoder) throws {
                box.encoder = encoder
                try 1.encode(to: encoder)
            }
        }
        let box = Box()
        #expect(try encode(Keeper(box: box)) == "1")
        let encoder = try #require(box.encoder)
        try (0..<1_000).map(String.init).joined().encode(to: encoder)
    }

    @Test("gives back what it is given, few or many")
    func roundTrip() throws {
        let likes = (0..<5_000).map {
            Likes(photo: $0, likes: -$0, note: $0 % 3 == 0 ? "n\($0)" : nil)
        }
        #expect(try JSON.decode([Likes].self, from: JSON.encode(likes)) == likes)
        #expect(try JSON(encoding: likes).decode([Likes].self) == likes)
        let shapes: [TapeDecoderTests.Shape] = [.circle(radius: 0.5), .square(2), .point]
        #expect(try JSON.decode([TapeDecoderTests.Shape].self, from: JSON.encode(shapes)) == shapes)
    }

    @Test("of a class writes its parent's members too")
    func classes() throws {
        class Base: Encodable { let a = 1 }
        final class Derived: Base {
            let b = 2
            enum Key: CodingKey { case b }
            override func encode(to encoder: any Encoder) throws {
                try super.encode(to: encoder)
                var members = encoder.container(keyedBy: Key.self)
                try members.encode(b, forKey: .b)
            }
        }
        #expect(try encode(Derived()) == #"{"a":1,"b":2}"#)
    }
}
