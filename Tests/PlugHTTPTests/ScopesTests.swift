import PlugHTTP
import Testing

@Suite("Comparison of scopes by their bytes")
struct ScopesTests {
    @Test(
        "canonically equivalent names are different scopes",
        arguments: [
            ("\u{212A}ate:read", "Kate:read"), ("Jose\u{301}", "José"), ("a\u{37E}b", "a;b"),
        ]
    )
    func lookalikes(one: String, other: String) {
        #expect(one == other, "Swift compares by canonical equivalence")
        #expect(Scopes([one]) != Scopes([other]))
        #expect(!Scopes([one]).contains([other]))
        #expect(!Scopes([other]).contains([one]))
        #expect(Scopes([one, other]).names.count == 2)
        #expect(Scopes([one, other, one]).contains([one, other]))
        #expect(Set([Scopes([one]), Scopes([other])]).count == 2)
        #expect(Caller(id: one) != Caller(id: other))
        #expect(Caller(id: "1", name: one) != Caller(id: "1", name: other))
        #expect(Caller(id: "1", scopes: [one]) != Caller(id: "1", scopes: [other]))
    }

    @Test("names are sorted, without duplicates")
    func order() {
        #expect(Scopes(["b", "a", "b", "A"]).names == ["A", "a", "b"])
        #expect(Scopes(text: " b  a ") == ["a", "b"])
        #expect(Scopes([]).isEmpty)
    }
}
