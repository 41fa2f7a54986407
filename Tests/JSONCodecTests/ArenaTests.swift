import JSONCodec
import Testing

@Suite("Tree of encoded values")
struct ArenaTests {
    @Test("fills containers in any order")
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

    @Test("omits a value that failed and whose error was caught")
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
            enum Key: CodingKey {}
            func encode(to encoder: any Encoder) throws {
                _ = encoder.container(keyedBy: Key.self)
                _ = encoder.unkeyedContainer()
            }
        }
        #expect(failure { _ = try encode([Twofold()]) } == "/0: written as two kinds of value")
    }

    @Test("an encoder remains valid after the call that created it")
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
}
