import JSONCodec
import Testing

@Suite("Encoding of scalars")
struct ArenaScalarsTests {
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

    @Test("rejects values that JSON can't represent, with their location")
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

    @Test("preserves the sign of negative zero")
    func negativeZero() throws {
        #expect(try decode(Double.self, "-0.0").sign == .minus)
        #expect(try encode([-0.0, 0.0]) == "[-0.0,0]")
        #expect(try decode(Double.self, encode(-0.0)).sign == .minus)
        #expect(try decode(Float.self, encode(-Float.zero)).sign == .minus)
    }
}
