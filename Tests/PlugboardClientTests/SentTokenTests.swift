import HTTPTypes
import PlugHTTP
import PlugboardClient
import Testing

@Suite("The client's bearer token (RFC 6750 §2.1)")
struct SentTokenTests {
    @Test(
        "line ends after it are removed",
        arguments: ["plug_1", "plug_1\n", "plug_1\r\n", "plug_1\n\n"]
    )
    func lineEnd(text: String) throws {
        #expect(try SentToken(text).text == "plug_1")
        #expect(Client("http://localhost", token: text).fields[.authorization] == "Bearer plug_1")
    }

    @Test(
        "an invalid token is rejected before a request, and isn't in the error",
        arguments: [
            "", "\n", "plug_1\nplug_2", "plug_1\r\nHost: x", "plug_1 \n", " plug_1", "plug 1",
            "plug_é",
            "plug_\u{0}", "plug_\u{2028}1",
        ]
    )
    func rejected(text: String) async throws {
        let error = #expect(throws: ClientError.self) { try SentToken(text) }
        #expect(error?.kind == .invalidInput)
        #expect(error?.message.contains("plug") == false)
        // No server listens there: the error comes first.
        let client = Client("http://127.0.0.1:1", token: text)
        let sent = await #expect(throws: ClientError.self) {
            try await client.get("/a", as: Int.self)
        }
        #expect(sent?.kind == .invalidInput)
        #expect(client.fields[.authorization] == nil)
    }
}
