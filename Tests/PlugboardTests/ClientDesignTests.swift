import PlugboardClient
import Testing

private class Greet: Action<String, String> {}

@Suite("Client calls with only the client's import")
struct ClientDesignTests {
    @Test("an action is plugged to a client, and called")
    func plug() async {
        await Actions.withPlugs {
            Greet.self <~ Client("http://127.0.0.1:1")
        } operation: {
            _ = await #expect(throws: ClientError.self) { try await action(Greet.self, "ada") }
        }
    }
}
