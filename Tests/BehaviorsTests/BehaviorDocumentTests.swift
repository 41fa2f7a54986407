import Behaviors
import Testing

@Suite("A behavior document")
struct BehaviorDocumentTests {
    private func document(_ text: String) throws -> BehaviorDocument {
        try BehaviorDocument(json: text.utf8)
    }

    @Test("preserves unknown members at every level")
    func unknownMembers() throws {
        let text =
            #"[{"name":"A","actions":[{"func":"f","value":{"x":1.10},"when":{"os":"ios"}}],"#
            + #""when":[1],"note":"n"}]"#
        let document = try document(text)
        #expect(String(decoding: document.encoded(), as: UTF8.self) == text)
        #expect(document.modules[0].others.names == ["when", "note"])
        #expect(document.modules[0].actions[0].others["when"]?["os"] == "ios")
        let decoded = try JSON.decode(BehaviorDocument.self, from: JSON.encode(document))
        #expect(decoded == document)
        #expect(
            try JSON.decode(BehaviorModule.self, from: JSON.encode(document.modules[0]))
                == document.modules[0]
        )
        #expect(
            try JSON.decode(BehaviorAction.self, from: JSON.encode(document.modules[0].actions[0]))
                == document.modules[0].actions[0]
        )
    }

    @Test("distinguishes a null value from a missing one")
    func nullValue() throws {
        let text = #"[{"name":"A","actions":[{"func":"f","value":null},{"func":"g"}]}]"#
        let document = try document(text)
        #expect(document.modules[0].actions.map(\.value) == [.null, nil])
        #expect(String(decoding: document.encoded(), as: UTF8.self) == text)
    }

    @Test("can be encoded with indentation")
    func pretty() {
        let document = BehaviorDocument(modules: [BehaviorModule(name: "A", actions: [])])
        let text = "[\n  {\n    \"name\": \"A\",\n    \"actions\": []\n  }\n]"
        #expect(String(decoding: document.encoded(pretty: true), as: UTF8.self) == text)
    }
}
