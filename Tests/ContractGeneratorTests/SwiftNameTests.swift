import Testing

@testable import ContractGenerator

@Suite("Names of generated code")
struct SwiftNameTests {
    @Test(
        "a type's name joins the words",
        arguments: [
            ("pull-request", "PullRequest"), ("Pet", "Pet"),
            ("CreateToken.Input", "CreateTokenInput"),
            ("Page_Todo", "PageTodo"), ("MAX_SIZE", "MaxSize"), ("+1", "Plus1"), ("größe", "Größe"),
            ("照片", "照片"), ("3d", "Type3d"), ("", "TypeModel"), ("$%&", "TypeModel"),
            ("😀", "TypeModel"),
        ]
    )
    func types(_ text: String, _ expected: String) {
        #expect(SwiftName.type(text) == expected)
    }

    @Test(
        "a type never hides one of Swift or of this package",
        arguments: ["error", "Data", "String", "Action", "Client", "Input", "Set", "task"]
    )
    func reserved(_ text: String) {
        let name = SwiftName.type(text)
        #expect(!SwiftName.reserved.contains(name))
        #expect(name.hasSuffix("Model"))
    }

    @Test(
        "a member's name begins with a small letter",
        arguments: [
            ("photo_urls", "photoUrls"), ("URL", "url"), ("HTMLUrl", "htmlUrl"),
            ("userID", "userID"),
            ("x-rate", "xRate"), ("+1", "plus1"), ("-1", "minus1"), ("$ref", "ref"),
            ("@type", "type"),
            ("2fa", "value2fa"), ("", "value"), ("*", "value"), ("self", "self_"), ("Type", "type"),
            ("init", "init_"), ("foo\u{0}bar", "fooBar"), ("a\u{202E}b", "aB"),
        ]
    )
    func members(_ text: String, _ expected: String) {
        #expect(SwiftName.member(text) == expected)
    }

    @Test(
        "keywords are in back quotes, other names aren't",
        arguments: [
            ("class", "`class`"), ("default", "`default`"), ("in", "`in`"), ("name", "name"),
        ]
    )
    func keywords(_ name: String, _ expected: String) {
        #expect(SwiftName.quoted(name) == expected)
    }

    @Test("equal names get numbers")
    func collisions() {
        var used: Set<String> = []
        let names = ["foo_bar", "fooBar", "foo-bar"].map {
            SwiftName.unique(SwiftName.member($0), &used)
        }
        #expect(names == ["fooBar", "fooBar2", "fooBar3"])
    }

    @Test(
        "many equal texts get numbers in their order, in a time that grows with their number only"
    )
    func manyCollisions() {
        var used: Set<String> = []
        let names = (1...10_000).map { _ in SwiftName.unique("value", &used) }
        #expect(names.prefix(3) == ["value", "value2", "value3"] && used.count == names.count)
        #expect(names.last == "value10000")
    }

    @Test(
        "any text becomes letters and digits",
        arguments: [
            "a\"; import Glibc; //", "a`b", "*/ }", "\\(x)", "\n", "a.b{c}", "１２", "a\u{301}",
        ]
    )
    func injection(_ text: String) {
        for name in [SwiftName.type(text), SwiftName.member(text)] {
            #expect(name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }, "\(name)")
            #expect(name.first?.isLetter == true)
        }
    }

    @Test("a long name is cut")
    func length() {
        #expect(SwiftName.member(String(repeating: "a", count: 10_000)).count <= 100)
    }
}
