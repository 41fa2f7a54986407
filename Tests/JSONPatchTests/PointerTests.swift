import JSONCodec
import JSONPatch
import Testing

@Suite("A JSON Pointer (RFC 6901)")
struct PointerTests {
    private static let document = #"""
        {"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5,
         "k\"l": 6, " ": 7, "m~n": 8}
        """#

    @Test(
        "finds the values of section 5's examples",
        arguments: [
            ("/foo", #"["bar","baz"]"#), ("/foo/0", #""bar""#), ("/", "0"), ("/a~1b", "1"),
            ("/c%d", "2"), ("/e^f", "3"), ("/g|h", "4"), ("/i\\j", "5"), ("/k\"l", "6"),
            ("/ ", "7"), ("/m~0n", "8"),
        ]
    )
    func examples(_ pointer: String, _ value: String) throws {
        let document = try json(Self.document)
        #expect(try Pointer(pointer).value(in: document) == json(value))
        #expect(try Pointer(pointer).description == pointer)
    }

    @Test("an empty pointer is the whole document")
    func whole() throws {
        let document = try json(Self.document)
        #expect(try Pointer("").value(in: document) == document)
    }

    @Test("reads ~01 as ~1 and not as / (section 4)")
    func order() throws {
        #expect(try Pointer("/~01").tokens == ["~1"])
        #expect(Pointer(tokens: ["~1", "/", "~"]).description == "/~01/~1/~0")
    }

    @Test(
        "is rejected if invalid (section 3)",
        arguments: ["a", "a/b", " /a", "#/a", "/~", "/~2", "/a~", "/~a/b", "/a/b~"]
    )
    func refused(_ text: String) {
        #expect(throws: PointerError.self) { try Pointer(text) }
    }

    @Test("is split at slashes before combining characters, and preserves names' bytes")
    func accents() throws {
        #expect(
            try Pointer("/a/\u{301}b").tokens.map { Array($0.utf8) } == [
                Array("a".utf8), Array("\u{301}b".utf8),
            ]
        )
        let document = try json("{\"e\u{301}\": 1, \"\u{E9}\": 2, \"a/\u{301}\": 3}")
        #expect(try Pointer("/e\u{301}").value(in: document) == 1)
        #expect(try Pointer("/\u{E9}").value(in: document) == 2)
        #expect(try Pointer(Pointer(tokens: ["a/\u{301}"]).description).value(in: document) == 3)
    }

    @Test(
        "a pointer without a target names the first missing part",
        arguments: [
            ("/bar", "/bar: there is no such member"),
            ("/foo/2", "/foo/2: the array has 2 elements"),
            ("/foo/-", "/foo/-: expected an index, an integer without a leading zero"),
            ("/foo/01", "/foo/01: expected an index, an integer without a leading zero"),
            ("/foo/+1", "/foo/+1: expected an index, an integer without a leading zero"),
            ("/foo/1e0", "/foo/1e0: expected an index, an integer without a leading zero"),
            ("/foo/", "/foo/: expected an index, an integer without a leading zero"),
            (
                "/foo/99999999999999999999",
                "/foo/99999999999999999999: expected an index, an integer without a leading zero"
            ),
            ("/foo/0/x", "/foo/0/x: a string has no members"),
            ("//x/y", "//x: a number has no members"),
        ]
    )
    func nothing(_ pointer: String, _ message: String) throws {
        let document = try json(Self.document)
        let pointer = try Pointer(pointer)
        let error = #expect(throws: PatchError.self) { try pointer.value(in: document) }
        #expect(error?.description == message)
        #expect(error?.kind == .conflict)
    }
}
