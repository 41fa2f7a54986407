import JSONCodec
import Testing

@Suite("An error of a value's type")
struct JSONTypeErrorTests {
    struct Like: Decodable {
        var id: Int
        var user: String?
    }

    enum Fruit: String, Codable, CaseIterable {
        case apple
        case kiwi
    }

    enum Level: Int, Codable {
        case low = 1
    }

    @Test(
        "tells the place and what was expected",
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

    @Test("leads through arrays and objects, and escapes names")
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

    @Test("escapes a slash that an accent follows, and finds the place again")
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

    @Test("says which values an enum has")
    func enums() {
        #expect(
            failure([Fruit].self, #"["apple","plum"]"#)
                == #"/1: unknown value "plum": expected one of apple, kiwi"#
        )
        #expect(failure([String: Level].self, #"{"a":2}"#) == "/a: unknown value 2")
        #expect(failure([Fruit].self, "[1]") == "/0: expected a string")
    }

    @Test("never names a Swift type, whatever code threw it")
    func noTypes() {
        struct Rude: Decodable {
            init(from decoder: any Decoder) throws {
                let text = try decoder.singleValueContainer().decode(String.self)
                let context = DecodingError.Context(codingPath: [], debugDescription: text)
                switch text {
                case "mismatch": throw DecodingError.typeMismatch(Rude.self, context)
                case "string": throw DecodingError.typeMismatch(String.self, context)
                case "number": throw DecodingError.typeMismatch(Double.self, context)
                case "array": throw DecodingError.typeMismatch([Any].self, context)
                case "nothing": throw DecodingError.valueNotFound(Rude.self, context)
                default: throw DecodingError.dataCorrupted(context)
                }
            }
        }
        func message(_ text: String) -> String? { failure([Rude].self, "[\"\(text)\"]") }
        #expect(message("mismatch") == "/0: not a valid value")
        #expect(message("string") == "/0: expected a string")
        #expect(message("number") == "/0: expected a number")
        #expect(message("array") == "/0: expected an array")
        #expect(message("nothing") == "/0: missing")
        #expect(message("Expected an even number.") == "/0: Expected an even number.")
        #expect(message("not an URL") == "/0: not an URL")
        #expect(message("cannot make a Rude") == "/0: not a valid value")
        #expect(message("Rude is wrong") == "/0: not a valid value")
        #expect(message("String expected") == "/0: not a valid value")
        #expect(message("from [Fruit] only") == "/0: not a valid value")
        #expect(message("PhotoKind is wrong") == "/0: not a valid value")
        #expect(message("") == "/0: not a valid value")
    }

    @Test("keeps the path that a type's own code gives")
    func ownPath() {
        struct Range: Decodable {
            enum Key: CodingKey { case low, high }
            init(from decoder: any Decoder) throws {
                let members = try decoder.container(keyedBy: Key.self)
                let low = try members.decode(Int.self, forKey: .low)
                guard try members.decode(Int.self, forKey: .high) >= low else {
                    throw DecodingError.dataCorruptedError(
                        forKey: .high,
                        in: members,
                        debugDescription: "lower than low"
                    )
                }
            }
        }
        #expect(failure([Range].self, #"[{"low":2,"high":1}]"#) == "/0/high: lower than low")
    }

    @Test("is still Swift's error to code that catches it on the way")
    func caught() throws {
        struct Either: Decodable {
            var text: String
            init(from decoder: any Decoder) throws {
                do {
                    text = try decoder.singleValueContainer().decode(String.self)
                } catch DecodingError.typeMismatch(_, let context) {
                    text = "\(context.codingPath.map(\.stringValue)) \(try Int(from: decoder))"
                }
            }
        }
        #expect(try decode([String: Either].self, #"{"a":7}"#)["a"]?.text == #"["a"] 7"#)
    }

    @Test("has a place in the text")
    func position() throws {
        let text = "{\n  \"a\": [1,\n    \"é\", {\"b/c\": 2}]\n}"
        func place(_ pointer: String) -> [Int]? {
            Array(text.utf8).withUnsafeBytes { JSON.place(of: pointer, in: $0) }
                .map { [$0.line, $0.column] }
        }
        #expect(place("") == [1, 1])
        #expect(place("/a") == [2, 8])
        #expect(place("/a/1") == [3, 5])
        #expect(place("/a/2/b~1c") == [3, 18])
        #expect(place("/a/7") == [2, 8])
        #expect(place("/x/y") == [1, 1])
        #expect([UInt8]("[".utf8).withUnsafeBytes { JSON.place(of: "", in: $0) } == nil)
    }
}
