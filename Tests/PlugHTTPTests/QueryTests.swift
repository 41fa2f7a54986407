import HTTPTypes
import JSONCodec
import PlugHTTP
import Testing

@Suite("Query")
struct QueryTests {
    private func members(_ query: String) throws -> [TextMember] {
        try Array(query.utf8).withUnsafeBufferPointer { try Query.members(of: $0) }
    }

    @Test(
        "a query is decoded into its items in order",
        arguments: [
            ("", []),
            ("a=1&b=x%20y", [TextMember.query("a", "1"), .query("b", "x y")]),
            ("a=x+y%2B", [.query("a", "x y+")]),
            ("a=", [.query("a", "")]),
            ("a", [.query("a", "")]),
            ("&a=1&&b=2&", [.query("a", "1"), .query("b", "2")]),
            ("a=1=2", [.query("a", "1=2")]),
            ("a=1&a=2", [.query("a", "1"), .query("a", "2")]),
            ("%C3%A9=%E2%82%AC", [.query("é", "€")]),
            ("a+b=c", [.query("a b", "c")]),
            ("q=a/b?c", [.query("q", "a/b?c")]),
            ("=1", [.query("", "1")]),
        ]
    )
    func decode(query: String, expected: [TextMember]) throws {
        #expect(try members(query) == expected)
    }

    @Test(
        "an item that isn't percent-encoded UTF-8 is an error that names it",
        arguments: ["a=%", "a=%4", "a=%zz", "a=%FF", "a=%C3", "a=%00", "b=1&a=%ED%A0%80"]
    )
    func malformed(query: String) {
        let error = #expect(throws: MalformedTarget.self) { try members(query) }
        #expect(error?.description.hasPrefix("a in the query") == true)
        #expect(error?.problem.status == .badRequest)
    }

    @Test("a malformed name is an error", arguments: ["%=1", "%FF", "%00=a"])
    func malformedName(query: String) {
        let error = #expect(throws: MalformedTarget.self) { try members(query) }
        #expect(error?.description.hasPrefix("A name") == true)
    }

    @Test("a query has at most 256 items")
    func count() throws {
        let query = Array(repeating: "a=1", count: 256).joined(separator: "&")
        #expect(try members(query).count == 256)
        let error = #expect(throws: MalformedTarget.self) { try members(query + "&b=2") }
        #expect(error?.description.contains("256") == true)
    }

    @Test("encoding is the inverse of decoding")
    func inverse() throws {
        let items = [("q", "a b+c&d=e%é"), ("ключ", ""), ("", "x")]
        let text = Query.text(items.map { (name: $0.0, text: $0.1) })
        #expect(text.hasPrefix("q=a%20b%2Bc%26d%3De%25%C3%A9&"))
        #expect(try members(text) == items.map { .query($0.0, $0.1) })
    }
}
