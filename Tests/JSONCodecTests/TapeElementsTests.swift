import JSONCodec
import Testing

@Suite("Array elements")
struct TapeElementsTests {
    /// Reads a list by hand and records each step.
    private struct Steps: Decodable {
        var steps: [String] = []

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            while !list.isAtEnd {
                let place = list.currentIndex
                if try list.decodeNil() {
                    steps.append("\(place) null")
                } else if let number = try? list.decode(Int.self) {
                    steps.append("\(place) \(number)")
                } else {
                    steps.append("\(place) \(try list.decode(String.self))")
                }
            }
        }
    }

    @Test("an element that fails to decode stays the next one")
    func retries() throws {
        #expect(
            try decode(Steps.self, #"[1,"a",null,2]"#).steps == ["0 1", "1 a", "2 null", "3 2"]
        )
        #expect(try decode(Steps.self, "[]").steps == [])
        #expect(failure([Steps].self, "[[1,{}]]") == "/0/1: expected a string")
    }

    @Test("integers of each width are decoded and encoded by custom code")
    func integers() throws {
        struct Widths: Codable {
            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                _ = try list.decode(Int8.self)
                _ = try list.decode(UInt64.self)
                #expect(try list.decode(Int128.self) == .min)
                #expect(try list.decode(UInt128.self) == .max)
            }

            func encode(to encoder: any Encoder) throws {
                var list = encoder.unkeyedContainer()
                try list.encode(Int8(1))
                try list.encode(UInt64(2))
                try list.encode(Int128.min)
                try list.encode(UInt128.max)
            }
        }
        let text = "[1,2,\(Int128.min),\(UInt128.max)]"
        #expect(try encode(decode(Widths.self, text)) == text)
    }

    @Test("an element past the end is missing, with its index")
    func missing() {
        struct Three: Decodable {
            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                for _ in 0..<3 { _ = try list.decode(Int.self) }
            }
        }
        struct Nil: Decodable {
            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                _ = try list.decodeNil()
            }
        }
        #expect(failure([String: Three].self, #"{"a":[1,2]}"#) == "/a/2: missing")
        #expect(failure([Nil].self, "[[]]") == "/0/0: missing")
    }

    @Test("a value other than an array is rejected", arguments: ["{}", "1", "true", #""a""#])
    func others(text: String) {
        #expect(failure([Int].self, text) == "expected an array")
    }
}
