import Identity
import PlugHTTP
import Plugboard
import PlugboardClient
import Storage
import TestLog
import Testing

@Suite("The file that serves a document")
struct GetServedFileTests {
    private static let text = #"[{"name": "Home", "when": {"rollout": 0}, "actions": []}]"#

    @Test("the document is as its author wrote it, until the store has a revision")
    func text() async throws {
        let folder = try TemporaryFolder()
        try folder.write("behaviors.json", Self.text)
        let tokens = TokenStore(Storage.of(folder["data"]))
        let scopes: Scopes = ["behaviors:read", "behaviors:write"]
        let token = try await tokens.create(name: "ada", scopes: scopes).text
        var server = Server(behaviors: .file(folder["behaviors.json"]), logger: Journal().logger)
        server.configuration.dataFolder = folder["data"]
        try await serving(server) { site in
            let client = Client(site.url, token: token)
            let file = try await client.send(GetServedFile.self, .init(name: "default"))
            #expect(file.path == folder["behaviors.json"] && file.document == Self.text)
            for (name, environment) in [("other", nil), ("default", "staging")]
                as [(String, String?)]
            {
                await #expect(throws: Problem.self) {
                    try await client.send(
                        GetServedFile.self,
                        .init(name: name, environment: environment)
                    )
                }
            }
            #expect(try await site.get("/behaviors/default/file").status == 401)
            let put = PutBehavior.Input(name: "default", document: "[]")
            _ = try await client.send(PutBehavior.self, put)
            let gone = try await site.get(
                "/behaviors/default/file",
                ("Authorization", "Bearer \(token)")
            )
            #expect(gone.status == 404)
            #expect(gone.text.contains("no file serves default in production"))
        }
    }
}
