import PlugHTTP
import Testing

@Suite("Scopes that imply others")
struct ImpliedScopesTests {
    private let rules: ImpliedScopes = [
        "editor": ["photos:write", "photos:read"], "owner": ["editor"], "guest": [],
    ]

    @Test("a scope expands to all scopes that it implies, also indirectly")
    func expansion() {
        #expect(rules.expand(["editor"]) == ["editor", "photos:read", "photos:write"])
        #expect(rules.expand(["owner"]) == ["owner", "editor", "photos:read", "photos:write"])
        #expect(
            rules.expand(["owner", "x"]) == ["owner", "editor", "photos:read", "photos:write", "x"]
        )
        #expect(rules.problems.isEmpty)
    }

    @Test("an implied scope doesn't imply the scope above it, and other scopes imply nothing")
    func others() {
        for scopes: Scopes in [
            [], ["photos:write"], ["photos:read", "x"], ["guest"], ["Editor"], ["editor "],
        ] {
            #expect(rules.expand(scopes) == scopes)
        }
        #expect(ImpliedScopes().expand(["editor"]) == ["editor"])
    }

    @Test("names are compared by their bytes")
    func lookalikes() {
        let rules: ImpliedScopes = ["Kate": ["a"]]
        #expect(rules.expand(["\u{212A}ate"]) == ["\u{212A}ate"])
    }

    @Test("expanding a caller changes only its scopes")
    func caller() {
        let caller = rules.expand(Caller(id: "1", name: "ada", scopes: ["editor"]))
        #expect(caller.id == "1" && caller.name == "ada")
        #expect(caller.scopes.contains(["photos:read"]))
    }

    @Test("rules for the same name are combined")
    func twice() {
        let rules: ImpliedScopes = ["a": ["b"], "a": ["c"]]
        #expect(rules.expand(["a"]) == ["a", "b", "c"])
        #expect(rules.adding(["a": ["d"], "e": ["f"]]).expand(["a", "e"]).names.count == 6)
        #expect(rules.names == ["a", "b", "c"])
    }

    @Test("two paths to the same scope are no cycle")
    func diamond() {
        let rules: ImpliedScopes = ["a": ["b", "c"], "b": ["d"], "c": ["d"]]
        #expect(rules.problems.isEmpty)
        #expect(rules.expand(["a"]) == ["a", "b", "c", "d"])
    }

    @Test("a cycle is a problem that names its scopes, and the expansion still ends")
    func cycles() {
        let itself: ImpliedScopes = ["a": ["a"]]
        #expect(
            itself.problems == ["impliedScopes has a cycle: a implies a: remove one of these rules"]
        )
        #expect(itself.expand(["a"]) == ["a"])
        let round: ImpliedScopes = ["x": ["b"], "b": ["c"], "c": ["d"], "d": ["b"]]
        #expect(
            round.problems == [
                "impliedScopes has a cycle: b implies c implies d implies b: remove one of these rules"
            ]
        )
        #expect(round.expand(["x"]) == ["x", "b", "c", "d"])
    }

    @Test("an invalid name is a problem", arguments: ["", "a b", "\"", "é", "a\u{0}"])
    func invalid(name: String) {
        #expect(ImpliedScopes(dictionaryLiteral: (name, ["a"])).problems.count == 1)
        #expect(ImpliedScopes(dictionaryLiteral: ("a", Scopes([name]))).problems.count == 1)
    }
}
