import JSONCodec
import PlugHTTP
import Testing

@Suite("Null and missing members of a patch (RFC 7396 §1)")
struct ChangeTests {
    private struct Patch: Codable, Equatable {
        var title: Change<String> = .keep
        var count: Change<Int> = .keep
        var tags: Change<[String]> = .keep
    }

    private func decode(_ text: String) throws -> Patch {
        try JSON.decode(Patch.self, from: Array(text.utf8))
    }

    @Test("a missing member is unchanged, null clears it, and a value sets it")
    func decoding() throws {
        #expect(try decode("{}") == Patch())
        #expect(
            try decode(#"{"title":null,"count":5,"tags":[]}"#)
                == Patch(title: .clear, count: .set(5), tags: .set([]))
        )
    }

    @Test(
        "a value of the wrong type is an error with its pointer",
        arguments: [
            (#"{"count":"5"}"#, "/count"), (#"{"tags":[null]}"#, "/tags/0"),
            (#"{"title":{}}"#, "/title"),
        ]
    )
    func wrongType(text: String, pointer: String) {
        let error = #expect(throws: JSONTypeError.self) { try decode(text) }
        #expect(error?.pointer == pointer)
    }

    @Test("each change survives encoding and decoding")
    func roundTrip() throws {
        for title: Change<String> in [.keep, .clear, .set("a")] {
            for tags: Change<[String]> in [.keep, .clear, .set([]), .set(["b"])] {
                let patch = Patch(title: title, tags: tags)
                let text = String(decoding: try JSON.encode(patch), as: UTF8.self)
                #expect(text.contains("title") == (title != .keep))
                #expect(try decode(text) == patch)
            }
        }
    }

    @Test(".keep can be encoded only as a member, null and values also in an array")
    func elements() throws {
        #expect(throws: (any Error).self) { try JSON.encode([Change<Int>.keep]) }
        let list: [Change<Int>] = [.clear, .set(1)]
        let bytes = try JSON.encode(list)
        #expect(String(decoding: bytes, as: UTF8.self) == "[null,1]")
        #expect(try JSON.decode([Change<Int>].self, from: bytes) == list)
    }

    @Test("the schema allows the value's type and null, and requires no member")
    func schema() {
        let schema = JSON.schema(of: Patch.self)
        let patch = schema["$defs"]?["ChangeTests.Patch"] ?? schema["$defs"]?["Patch"]
        #expect(patch?["properties"]?["count"]?["type"] == ["integer", "null"])
        #expect(patch?["properties"]?["title"]?["type"] == ["string", "null"])
        #expect(patch?["required"] == nil)
    }

    @Test("a change applies to an optional value")
    func applying() {
        var note: String? = "a"
        Change<String>.keep.apply(to: &note)
        #expect(note == "a")
        Change.set("b").apply(to: &note)
        #expect(note == "b")
        Change<String>.clear.apply(to: &note)
        #expect(note == nil)
    }
}
