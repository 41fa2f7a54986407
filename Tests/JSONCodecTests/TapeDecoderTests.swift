import JSONCodec
import Testing

@Suite("Decoding")
struct TapeDecoderTests {
    struct Like: Codable, Equatable {
        var id: Int
        var user: String?
    }

    enum Shape: Codable, Equatable {
        case circle(radius: Double)
        case square(Int)
        case point
    }

    @Test("fills a type's members in any order, and ignores others")
    func members() throws {
        #expect(try decode(Like.self, #"{"id":42,"user":"ada"}"#) == Like(id: 42, user: "ada"))
        #expect(try decode(Like.self, #"{"x":[{}],"user":null,"id":42}"#) == Like(id: 42))
        #expect(try decode(Like.self, #"{"\u0069d":1e1}"#) == Like(id: 10))
        #expect(try decode([Like].self, #"[{"id":1},{"id":2}]"#).map(\.id) == [1, 2])
        #expect(
            try decode([Shape].self, #"[{"circle":{"radius":1}},{"point":{}}]"#) == [
                .circle(radius: 1), .point,
            ]
        )
    }

    @Test("preserves unknown members through decoding and encoding")
    func unknownMembers() throws {
        struct User: Codable {
            var all: JSON
            init(from decoder: any Decoder) throws { all = try JSON(from: decoder) }
            func encode(to encoder: any Encoder) throws { try all.encode(to: encoder) }
        }
        let text = #"{"age":1.10,"name":"ada","tags":[{"x":null}]}"#
        #expect(try encode(decode(User.self, text)) == text)
        #expect(try encode(decode([String: JSON].self, text)) == text)
    }
}
