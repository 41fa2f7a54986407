import JSONCodec
import JSONPatch
import Testing

@Suite("A JSON Patch (RFC 6902)")
struct PatchTests {
    @Test(
        "is rejected if invalid, with the operation and the location in it",
        arguments: [
            ("{}", "expected a JSON Patch, an array of operations"),
            ("null", "expected a JSON Patch, an array of operations"),
            ("[1]", "operation 0: /0: expected an object"),
            ("[[]]", "operation 0: /0: expected an object"),
            ("[{}]", "operation 0: /0/op: missing"),
            (#"[{"op":1,"path":""}]"#, "operation 0: /0/op: expected a string"),
            (
                #"[{"op":"spam","path":""}]"#,
                "operation 0: /0/op: expected one of add, remove, replace, move, copy, test"
            ),
            (
                #"[{"op":"Add","path":"","value":1}]"#,
                "operation 0: /0/op: expected one of add, remove, replace, move, copy, test"
            ),
            (#"[{"op":"remove"}]"#, "operation 0: /0/path: missing"),
            (#"[{"op":"remove","path":null}]"#, "operation 0: /0/path: expected a string"),
            (
                #"[{"op":"remove","path":"a"}]"#,
                "operation 0: /0/path: a JSON Pointer is empty or begins with /"
            ),
            (
                #"[{"op":"remove","path":"/~2"}]"#,
                "operation 0: /0/path: expected 0 or 1 after ~ in a JSON Pointer"
            ),
            (
                #"[{"op":"test","path":"","value":1},{"op":"add","path":"/a"}]"#,
                "operation 1: /1/value: missing"
            ),
            (#"[{"op":"replace","path":"/a"}]"#, "operation 0: /0/value: missing"),
            (#"[{"op":"test","path":"/a"}]"#, "operation 0: /0/value: missing"),
            (#"[{"op":"move","path":"/a"}]"#, "operation 0: /0/from: missing"),
            (#"[{"op":"copy","path":"/a","from":7}]"#, "operation 0: /0/from: expected a string"),
        ]
    )
    func malformed(_ patch: String, _ message: String) throws {
        let patch = try json(patch)
        let error = #expect(throws: PatchError.self) { try Patch(patch) }
        #expect(error?.description == message)
        #expect(error?.kind == .malformed)
    }

    @Test("is written as it was parsed")
    func written() throws {
        let text =
            #"[{"op":"add","path":"/a~1b","value":1},{"op":"remove","path":"/b"},"#
            + #"{"op":"replace","path":"","value":{}},{"op":"move","from":"/a","path":"/b"},"#
            + #"{"op":"copy","from":"/a","path":"/b"},{"op":"test","path":"/a","value":null}]"#
        #expect(try Patch(json(text)).json.description == text)
    }

    @Test("can be a Codable member, and an invalid one is reported with its location")
    func codable() throws {
        struct Answer: Codable { var patch: Patch }
        let text = #"{"patch":[{"op":"test","path":"/a","value":1.50}]}"#
        let answer = try JSON.decode(Answer.self, from: text.utf8)
        #expect(answer.patch.operations.count == 1)
        #expect(String(decoding: try JSON.encode(answer), as: UTF8.self) == text)
        let error = #expect(throws: JSONTypeError.self) {
            try JSON.decode(Answer.self, from: #"{"patch":[{"op":"fly","path":""}]}"#.utf8)
        }
        #expect(error?.pointer == "/patch")
    }
}
