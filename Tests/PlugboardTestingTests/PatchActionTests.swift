import PlugboardTesting
import Testing

private class EditNote: Action<EditNote.Input, EditNote.Input>, PATCH {
    struct Input: Codable, Sendable, Equatable {
        var id: Int
        var text: Change<String> = .keep
        var rank: Change<Int> = .keep
    }
    static var path: String { "/notes/{id}" }
}

@Suite("Null and missing members of a PATCH, from client to action (RFC 7396 §1)")
struct PatchActionTests {
    private let server = Server { EditNote.self }

    @Test("each change arrives unchanged")
    func sending() async throws {
        try await Actions.withPlugs {
            EditNote.self <~ { $0 }
        } operation: {
            try await server.test { client in
                for text: Change<String> in [.keep, .clear, .set(""), .set("a")] {
                    for rank: Change<Int> in [.keep, .clear, .set(0)] {
                        let input = EditNote.Input(id: 1, text: text, rank: rank)
                        let output = try await client.send(EditNote.self, input)
                        #expect(output == input)
                    }
                }
            }
        }
    }

    @Test(
        "the body has the changes, and a wrong type is a 422 with its pointer",
        arguments: [
            ("{}", 200, #"{"id":1}"#), (#"{"text":null}"#, 200, #"{"id":1,"text":null}"#),
            (#"{"rank":5}"#, 200, #"{"id":1,"rank":5}"#), (#"{"rank":"5"}"#, 422, "/rank"),
            (#"{"text":[null]}"#, 422, "/text"),
        ]
    )
    func wire(body: String, status: Int, text: String) async throws {
        let transport = try server.memoryTransport()
        var request = HTTPRequest(
            method: .patch,
            scheme: "http",
            authority: "localhost",
            path: "/notes/1"
        )
        request.headerFields[.contentType] = "application/json"
        let (response, bytes) = try await Actions.withPlugs {
            EditNote.self <~ { $0 }
        } operation: {
            try await transport.send(request, body: Array(body.utf8))
        }
        #expect(response.status.code == status)
        #expect(String(decoding: bytes, as: UTF8.self).contains(text))
    }
}
