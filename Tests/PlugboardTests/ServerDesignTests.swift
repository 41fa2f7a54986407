import Plugboard
import Testing

private class Greet: Action<String, String>, POST {
    static var path: String { "/greet" }
}

@Suite("Server calls with only the server's import")
struct ServerDesignTests {
    @Test("an action is plugged and exposed")
    func plug() async throws {
        Greet.self <~ { "hello \($0)" }
        let server = Server(behaviors: .file("public/behaviors.json")) { Greet.self }
        #expect(server.actions.map(\.route) == ["POST /greet"])
        #expect(try await action(Greet.self, "ada") == "hello ada")
    }
}
