import JSONCodec
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

@Suite("The parser")
struct TapeParserTests {
    @Test("accepts documents that RFC 8259 allows", arguments: GoodTexts.all)
    func good(_ text: String) throws {
        let value = try json(text)
        #expect(try JSON(parsing: value.encoded()) == value)
    }

    @Test("rejects documents that RFC 8259 and RFC 7493 forbid", arguments: BadTexts.all)
    func bad(_ text: String) {
        #expect(throws: JSONError.self) { try json(text) }
    }

    @Test("rejects every truncated document", arguments: GoodTexts.all)
    func cut(_ text: String) throws {
        let bytes = Array(text.utf8)
        for length in 0..<bytes.count {
            let part = bytes[..<length]
            // What is whole before its end: a number, or a value before white space.
            let isWhole = (try? JSON(parsing: part)) != nil
            let rest = bytes[length...]
            let mayBeWhole =
                rest.allSatisfy { " \n\r\t".utf8.contains($0) }
                || "-0123456789".utf8.contains(where: { $0 == part.first { $0 != 0x20 } })
            #expect(!isWhole || mayBeWhole, "the first \(length) bytes of \(text)")
        }
    }

    @Test("reads no byte after the text's end")
    func flush() throws {
        let pageSize = sysconf(Int32(_SC_PAGESIZE))
        let anonymous = MAP_PRIVATE | MAP_ANONYMOUS
        let pages = try #require(
            mmap(nil, pageSize * 2, PROT_READ | PROT_WRITE, anonymous, -1, 0)
        )
        try #require(pages != MAP_FAILED)
        defer { munmap(pages, pageSize * 2) }
        try #require(mprotect(pages + pageSize, pageSize, PROT_NONE) == 0)
        for text in GoodTexts.all + BadTexts.all {
            let bytes = Array(text.utf8)
            guard bytes.count < pageSize else { continue }
            for length in 0...bytes.count {
                let start = pages + (pageSize - length)
                bytes.withUnsafeBytes { source in
                    UnsafeMutableRawBufferPointer(start: start, count: length)
                        .copyBytes(from: source.prefix(length))
                }
                _ = try? JSON(parsing: UnsafeRawBufferPointer(start: start, count: length))
            }
        }
    }

    @Test(
        "reports line, column and offset, the column in characters",
        arguments: [
            ("[1,\n 2 3]", "line 2, column 4: expected ',' or ']'", 7),
            ("", "line 1, column 1: expected a value", 0),
            ("[1,]", "line 1, column 4: expected a value", 3),
            ("{\"é\": x}", "line 1, column 7: expected a value", 7),
            ("{\n\"a\":1,\n\"a\":2}", "line 3, column 1: a member's name is given twice", 9),
            ("01", "line 1, column 1: a number has no leading zero", 0),
            ("{,}", "line 1, column 2: expected a member's name", 1),
            ("{\"a\" 1}", "line 1, column 6: expected ':'", 5),
            ("{\"a\":1", "line 1, column 7: expected ',' or '}'", 6),
            ("1 2", "line 1, column 3: expected the end of the document", 2),
            ("[\"ab", "line 1, column 2: the string has no end", 1),
            ("\"\\ud800\"", "line 1, column 2: half a surrogate pair", 1),
            ("\"\\x\"", "line 1, column 2: no such escape", 1),
            ("\u{FEFF}1", "line 1, column 1: a byte order mark is not allowed", 0),
            ("-", "line 1, column 2: expected a digit", 1),
        ]
    )
    func places(_ text: String, _ description: String, _ offset: Int) throws {
        let error = try #require(throws: JSONError.self) { try json(text) }
        #expect(error.description == description)
        #expect(error.offset == offset)
    }

    @Test(
        "an error points to the innermost value around it (RFC 6901)",
        arguments: [
            ("", ""), ("tru", ""), ("1 2", ""), ("[", "/0"), ("[1,", "/1"), ("[1,]", "/1"),
            ("[1 2]", ""), ("[[1],[2,[3,x]]]", "/1/1/1"), (#"{"a":"#, "/a"), (#"{"a":x}"#, "/a"),
            (#"{"a":1"#, ""), (#"{"a" 1}"#, "/a"), (#"{"a":1,}"#, ""), (#"{1:2}"#, ""),
            (#"{"a":1,"b":[{"c":"d","e":tru}]}"#, "/b/0/e"), (#"{"a":"b","c"#, ""),
            (#"{"a":{"b":1,"b":2}}"#, "/a/b"), (#"[{"b":1,"b":2}]"#, "/0/b"),
            (#"{"a/b":{"~":["\u0063"#, "/a~1b/~0/0"), (#"{"\u0061\/":x}"#, "/a~1"),
            (#"{"a":[1,2],"b":"\x"}"#, "/b"), (#"{"a":"b","\x":1}"#, ""), (#"{"a":-}"#, "/a"),
            ("[\"\u{1}\"]", "/0"), (#"{"a":{},"b":[[],{}],"c":}"#, "/c"),
        ]
    )
    func pointers(_ text: String, _ pointer: String) throws {
        let error = try #require(throws: JSONError.self) { try json(text) }
        #expect(error.pointer == pointer)
    }

    @Test("an error points to a value that nests too deep")
    func deepPointer() throws {
        let error = try #require(throws: JSONError.self) {
            try JSON(parsing: Array(#"[0,{"a":[1]}]"#.utf8), depth: 2)
        }
        #expect(error.pointer == "/1/a")
    }

    @Test("a pointer has at most 4 KiB and still points to a value")
    func longPointer() throws {
        func pointer(_ text: String) throws -> String {
            try #require(throws: JSONError.self) { try json(text) }.pointer
        }
        for count in [4_093, 4_094, 4_095, 1_000_000] {
            let name = String(repeating: "a", count: count)
            #expect(try pointer(#"{"b":{"\#(name)":x}}"#) == (count < 4_094 ? "/b/" + name : "/b"))
        }
        let escaped = String(repeating: "~", count: 3_000)
        #expect(try pointer(#"{"b":[{"\#(escaped)":x}]}"#) == "/b/0")
        #expect(try pointer(#"{"\#(escaped)":[[x]]}"#).isEmpty)
    }

    @Test("accepts values up to the nesting limit")
    func depth() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array(repeating: UInt8(ascii: "["), count: depth)
                + Array(repeating: UInt8(ascii: "]"), count: depth)
        }
        _ = try JSON(parsing: nested(512))
        #expect(throws: JSONError.self) { try JSON(parsing: nested(513)) }
        _ = try JSON(parsing: nested(3), depth: 3)
        let error = try #require(throws: JSONError.self) {
            try JSON(parsing: nested(4), depth: 3)
        }
        #expect(error.description == "line 1, column 4: nested deeper than 3")
        #expect(throws: JSONError.self) { try JSON(parsing: nested(100_000), depth: .max) }
        let objects = Array(String(repeating: "{\"a\":", count: 600).utf8)
        #expect(throws: JSONError.self) { try JSON(parsing: objects) }
    }
}
