import GuardedBytes
import HTTPSyntax
import Testing

@Suite("Query items")
struct QueryItemsTests {
    /// The items of a query as texts, "!" for a part that can't be decoded.
    private func items(_ query: String) -> [[String]] {
        GuardedBytes.with(query.utf8) { query in
            var items = QueryItems(query)
            var texts: [[String]] = []
            while let item = items.next() {
                texts.append([item.nameText ?? "!", item.valueText ?? "!"])
            }
            #expect(items.next() == nil)
            return texts
        }
    }

    @Test(
        "items are names and values, in order",
        arguments: [
            ("", []), ("&", []), ("&&&", []), ("a", [["a", ""]]), ("a=", [["a", ""]]),
            ("=", [["", ""]]), ("=b", [["", "b"]]), ("a=1=2", [["a", "1=2"]]),
            ("a=1&b=2", [["a", "1"], ["b", "2"]]), ("&a=1&&b=2&", [["a", "1"], ["b", "2"]]),
            ("country=LV&version=2.1.3", [["country", "LV"], ["version", "2.1.3"]]),
            ("a*b=(c)", [["a*b", "(c)"]]), ("a+b=c%20d%2B", [["a b", "c d+"]]),
            ("%C3%A9=%E2%82%AC", [["é", "€"]]), ("a%3D=b%26c", [["a=", "b&c"]]),
        ]
    )
    func good(query: String, expected: [[String]]) {
        #expect(items(query) == expected)
    }

    @Test(
        "a part that isn't percent-encoded UTF-8 without NUL has no text",
        arguments: [
            ("a=%", [["a", "!"]]), ("a=%4", [["a", "!"]]), ("a=%zz", [["a", "!"]]),
            ("%=1", [["!", "1"]]), ("a=%FF&b=2", [["a", "!"], ["b", "2"]]),
            ("a=%ED%A0%80", [["a", "!"]]), ("%00=%00", [["!", "!"]]), ("a\0=b", [["!", "b"]]),
        ]
    )
    func bad(query: String, expected: [[String]]) {
        #expect(items(query) == expected)
    }

    @Test("an item is plain only if its bytes need no decoding")
    func plain() {
        let query = "a=b&a%20=b&a=+&=&a=\u{E9}&a*=(!)"
        let plain = GuardedBytes.with(query.utf8) { query in
            var items = QueryItems(query)
            var plain: [Bool] = []
            while let item = items.next() { plain.append(item.isPlain) }
            return plain
        }
        #expect(plain == [true, false, false, true, false, true])
    }
}
