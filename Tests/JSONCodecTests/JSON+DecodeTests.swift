import JSONCodec
import Testing

@Suite("Decoding of a document")
struct JSONDecodeTests {
    @Test("decodes any sequence of bytes, contiguous or not")
    func sequences() throws {
        let text = #"{"a":[1,2]}"#
        let pieces = sequence(state: Array(text.utf8).makeIterator()) { $0.next() }
        #expect(try JSON(parsing: pieces) == json(text))
        #expect(
            try JSON.decode([String: [Int]].self, from: Array(text.utf8)[...]) == ["a": [1, 2]]
        )
    }

    @Test("a pointer has its line and column in the text")
    func position() throws {
        let text = "{\n  \"a\": [1,\n    \"é\", {\"b/c\": 2}]\n}"
        func place(_ pointer: String) -> [Int]? {
            Array(text.utf8).withUnsafeBytes { JSON.place(of: pointer, in: $0) }
                .map { [$0.line, $0.column] }
        }
        #expect(place("") == [1, 1])
        #expect(place("/a") == [2, 8])
        #expect(place("/a/1") == [3, 5])
        #expect(place("/a/2/b~1c") == [3, 18])
        #expect(place("/a/7") == [2, 8])
        #expect(place("/x/y") == [1, 1])
        #expect([UInt8]("[".utf8).withUnsafeBytes { JSON.place(of: "", in: $0) } == nil)
    }

    struct Like: Codable, Equatable {
        var id: Int
        var user: String?
    }

    @Test("rethrows an error of a type's own code")
    func ownErrors() {
        struct Refused: Error {}
        struct Picky: Decodable {
            init(from decoder: any Decoder) throws { throw Refused() }
        }
        #expect(throws: Refused.self) { try decode(Picky.self, "1") }
        #expect(throws: JSONError.self) { try decode(Picky.self, "[") }
    }

    @Test("a decoder remains valid after the call that created it")
    func escaping() throws {
        struct Keeper: Decodable {
            let decoder: any Decoder
            init(from decoder: any Decoder) { self.decoder = decoder }
        }
        var bytes = Array(#"{"id":42,"user":"a name that is longer than a word"}"#.utf8)
        let keeper = try bytes.withUnsafeBytes { try JSON.decode(Keeper.self, from: $0) }
        for index in bytes.indices { bytes[index] = 0 }
        #expect(
            try Like(from: keeper.decoder)
                == Like(id: 42, user: "a name that is longer than a word")
        )
    }
}
