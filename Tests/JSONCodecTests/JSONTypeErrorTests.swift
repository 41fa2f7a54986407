import JSONCodec
import Testing

@Suite("JSON type errors")
struct JSONTypeErrorTests {
    struct Like: Decodable {
        var id: Int
        var user: String?
    }

    @Test(
        "has the location and the expected type",
        arguments: [
            (#"{"id":1,"user":2}"#, "/user: expected a string"),
            (#"{"user":"a"}"#, "/id: missing"),
            (#"{"id":null}"#, "/id: expected an integer"),
            (#"{"id":"1"}"#, "/id: expected an integer"),
            (#"{"id":1.5}"#, "/id: expected an integer"),
            (
                #"{"id":1e30}"#,
                "/id: out of range: -9223372036854775808 to 9223372036854775807"
            ),
            ("[]", "expected an object"),
            ("1", "expected an object"),
        ]
    )
    func places(_ text: String, _ description: String) {
        #expect(failure(Like.self, text) == description)
    }

    @Test("has a pointer through arrays and objects, with escaped names")
    func pointers() {
        #expect(
            failure([String: [[String: Int]]].self, #"{"a/b":[{},{"m~n":1,"x/~y":true}]}"#)
                == "/a~1b/1/x~1~0y: expected an integer"
        )
        #expect(failure([Like].self, #"[{"id":1},{"user":"x"}]"#) == "/1/id: missing")
        #expect(failure([[UInt8]].self, "[[1],[2,256]]") == "/1/1: out of range: 0 to 255")
        #expect(failure([[Bool]].self, "[[true,1]]") == "/0/1: expected true or false")
        #expect(failure([Double].self, "[1e999]") == "/0: out of range")
        #expect(failure([Float].self, "[1e39]") == "/0: out of range")
        #expect(failure([String: Int].self, #"{"":{}}"#) == "/: expected an integer")
    }

    @Test("escapes a slash before a combining accent, and the pointer finds the value")
    func accents() throws {
        let text = "{\"a\": 0,\n\"/\u{301}\": {\"~\u{301}\": 1}}"
        #expect(JSONPointer.escaped("/\u{301}~\u{301}") == "~1\u{301}~0\u{301}")
        let pointer = JSONPointer.text([PathKey.name("/\u{301}"), .name("~\u{301}")])
        let place = try #require(
            Array(text.utf8).withUnsafeBytes { JSON.place(of: pointer, in: $0) }
        )
        #expect(place.line == 2)
        #expect(place.column > 5)
    }
}
