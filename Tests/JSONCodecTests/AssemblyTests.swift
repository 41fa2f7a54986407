import Testing

@testable import JSONCodec

private struct Address: Codable { var city: String; var number: Int? }
private struct Search: Codable, Constrained {
    var q: String?
    var near: Address?
    var flags: [String: Bool]?
    var tags: [Int]?
    var limit: Int
    static var constraints: Constraints { ["limit": [.default(20)]] }
}

@Suite("Documents assembled from body, texts and defaults")
struct AssemblyTests {
    /// The document, and the names of the texts that aren't part of it.
    private func assemble(
        _ body: String?,
        _ items: [(String, String)]
    ) throws -> (document: JSON, rest: [String]) {
        let content = DecodingContract.of(Search.self).content
        return try Array((body ?? "").utf8).withUnsafeBytes { bytes in
            var assembly = try Assembly(content, bytes)
            let rest = assembly.take(
                items.map { TextMember(name: $0.0, text: $0.1, origin: .query) }
            )
            return (assembly.document, rest.map(\.name))
        }
    }

    @Test("a text may set a nested member: near[city]=Riga")
    func nested() throws {
        let (document, rest) = try assemble(
            #"{"near":{"number":1}}"#,
            [("q", "sea"), ("near[city]", "Riga"), ("flags[a]", "true"), ("tags[]", "1")]
        )
        let expected =
            #"{"near":{"number":1,"city":"Riga"},"flags":{"a":true},"tags":[1],"limit":20}"#
        #expect(try document == json(expected))
        #expect(rest == ["q"])
    }

    @Test(
        "a text that matches no member isn't part of the document",
        arguments: [
            "other[x]", "near[none]", "near[", "near[city][x]", "q[a]", "tags[0]",
            "flags" + String(repeating: "[a]", count: 8),
        ]
    )
    func others(name: String) throws {
        let (document, rest) = try assemble(nil, [(name, "1")])
        #expect(document == ["limit": 20])
        #expect(rest == [name])
    }

    @Test("a member that is sent twice becomes a list, which decoding rejects")
    func twice() throws {
        let (document, _) = try assemble(nil, [("near[number]", "1"), ("near[number]", "2")])
        #expect(document["near"]?["number"] == [1, 2])
    }

    @Test("a default replaces a missing member, but neither null nor a text")
    func defaults() throws {
        #expect(try assemble(nil, []).document == ["limit": 20])
        #expect(try assemble(#"{"limit":null}"#, []).document == ["limit": nil])
        let (document, rest) = try assemble(nil, [("limit", "5")])
        #expect(document == [:])
        #expect(rest == ["limit"])
    }

    @Test("a body that isn't JSON is rejected", arguments: ["{", "x", "1 2"])
    func invalid(body: String) {
        #expect(throws: JSONError.self) { try assemble(body, [("near[city]", "Riga")]) }
    }
}
