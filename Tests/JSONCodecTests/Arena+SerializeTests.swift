import JSONCodec
import Testing

@Suite("The order of encoded members")
struct ArenaSerializeTests {
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
}
