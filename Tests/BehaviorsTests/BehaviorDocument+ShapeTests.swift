import Behaviors
import Testing

@Suite("Validation of behavior documents")
struct BehaviorDocumentShapeTests {
    private func document(_ text: String) throws -> BehaviorDocument {
        try BehaviorDocument(json: text.utf8)
    }

    private func failure(_ text: some Sequence<UInt8>) -> String? {
        do {
            _ = try BehaviorDocument(json: text)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test(
        "is rejected with the location of each problem",
        arguments: [
            ("{\"name\": \"A\"}", "line 1, column 1: expected an array of modules"),
            ("null", "line 1, column 1: expected an array of modules"),
            ("[\n  1\n]", "line 2, column 3: /0: expected an object"),
            ("[\n  {\"actions\": []}\n]", "line 2, column 3: /0/name: missing"),
            ("[{\"name\": 1, \"actions\": []}]", "line 1, column 11: /0/name: expected a string"),
            ("[{\"name\": \"A\"}]", "line 1, column 2: /0/actions: missing"),
            (
                "[{\"name\": \"A\", \"actions\":\n {}}]",
                "line 2, column 2: /0/actions: expected an array"
            ),
            (
                "[{\"name\":\"A\",\"actions\":[]},\n{\"name\":\"B\",\"actions\":[{},1]}]",
                "line 2, column 24: /1/actions/0/func: missing"
            ),
            (
                "[{\"name\":\"A\",\"actions\":[{\"func\":\"f\"},\n[]]}]",
                "line 2, column 1: /0/actions/1: expected an object"
            ),
            (
                "[{\"name\":\"A\",\"actions\":[{\"func\":\n    null}]}]",
                "line 2, column 5: /0/actions/0/func: expected a string"
            ),
            ("[{\"name\": \"A\",]", "line 1, column 15: expected a member's name"),
            ("", "line 1, column 1: expected a value"),
        ]
    )
    func places(_ text: String, _ description: String) {
        #expect(failure(text.utf8) == description)
    }

    @Test("holds at most a thousand modules, ten thousand actions, 1 MiB, names of 256 characters")
    func limits() throws {
        func modules(_ count: Int, _ actions: Int) -> String {
            let action = Array(repeating: "{\"func\":\"f\"}", count: actions).joined(separator: ",")
            let module = "{\"name\":\"A\",\"actions\":[\(action)]}"
            return "[" + Array(repeating: module, count: count).joined(separator: ",") + "]"
        }
        #expect(try document(modules(1_000, 10)).modules.count == 1_000)
        #expect(failure(modules(1_001, 0).utf8)?.hasSuffix("/1000: more than 1000 modules") == true)
        #expect(
            failure(modules(1, 10_001).utf8)?
                .hasSuffix("/0/actions/10000: more than 10000 actions") == true
        )
        #expect(
            failure(modules(2, 6_000).utf8)?
                .hasSuffix("/1/actions/4000: more than 10000 actions") == true
        )
        let name = String(repeating: "é", count: 256)
        let longest = "[{\"name\":\"\(name)\",\"actions\":[{\"func\":\"\(name)\"}]}]"
        #expect(failure(longest.utf8) == nil)
        #expect(
            failure("[{\"name\":\"\(name)x\",\"actions\":[]}]".utf8)?
                .hasSuffix("/0/name: a name has 256 characters at most") == true
        )
        #expect(
            failure("[{\"name\":\"A\",\"actions\":[{\"func\":\"\(name)x\"}]}]".utf8)?
                .hasSuffix("/0/actions/0/func: a name has 256 characters at most") == true
        )
        let space = Array(repeating: UInt8(ascii: " "), count: 1 << 20)
        #expect(failure(space[2...] + "[]".utf8) == nil)
        #expect(failure(space[1...] + "[]".utf8) == "line 1, column 1: larger than 1 MiB")
    }

    @Test("nests in other documents, and errors have its location in them")
    func nested() throws {
        struct Revision: Codable, Equatable {
            var number: Int
            var document: BehaviorDocument
        }
        let revision = Revision(
            number: 7,
            document: BehaviorDocument(
                modules: [BehaviorModule(name: "A", actions: [BehaviorAction(function: "f")])]
            )
        )
        let bytes = try JSON.encode(revision)
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == #"{"document":[{"actions":[{"func":"f"}],"name":"A"}],"number":7}"#
        )
        #expect(try JSON.decode(Revision.self, from: bytes) == revision)
        let wrong = #"{"number":7,"document":[{"name":"A","actions":[{}]}]}"#
        let error = #expect(throws: JSONTypeError.self) {
            try JSON.decode(Revision.self, from: wrong.utf8)
        }
        #expect(error?.description == "/document/0/actions/0/func: missing")
    }
}
