import HTTPTypes
import Identity
import PlugHTTP
import Plugboard
import PlugboardClient
import Storage
import TestLog
import Testing

@Suite("The list of seen modules")
struct ListModulesTests {
    private func serving(
        _ scopes: Scopes = ["behaviors:read", "behaviors:write"],
        _ body: (Client) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "behaviors.json",
            #"""
            {"segments": {"beta": true}, "modules": [
                {"name": "Home", "when": {"rollout": 0}, "actions": [{"func": "show"}]}]}
            """#
        )
        let tokens = TokenStore(Storage.of(folder["data"]))
        let token = try await tokens.create(name: "ada", scopes: scopes).text
        var server = Server(behaviors: .file(folder["behaviors.json"]), logger: Journal().logger)
        server.configuration.dataFolder = folder["data"]
        try await PlugboardTests.serving(server) { site in
            try await body(Client(site.url, token: token))
        }
    }

    @Test("it has those of the file and of all environments' live documents, without drafts")
    func modules() async throws {
        try await serving { client in
            let first = try await client.send(ListModules.self)
            #expect(first.environments == ["production"] && first.isComplete)
            // A module that no user receives is seen, too.
            #expect(first.modules == [SeenModule(name: "Home", functions: ["show"])])
            for (name, function, environment, isDraft) in [
                ("shop", "dance", nil, false), ("shop", "vanish", nil, true),
                ("other", "show", "staging", false),
            ] as [(String, String, String?, Bool)] {
                var put = PutBehavior.Input(
                    name: name,
                    document:
                        #"[{"name":"Home","actions":[{"func":"\#(function)"}]},{"name":"A.\#(name)","actions":[]}]"#
                )
                put.environment = environment
                put.create = true
                put.draft = isDraft
                let input = put
                _ = try await client.send(PutBehavior.self, input)
            }
            let all = try await client.send(ListModules.self)
            #expect(all.environments == ["production", "staging"])
            #expect(
                all.modules == [
                    SeenModule(name: "A.other", functions: []),
                    SeenModule(name: "A.shop", functions: []),
                    SeenModule(name: "Home", functions: ["dance", "show"]),
                ]
            )
        }
    }

    @Test("it requires the scope behaviors:read")
    func scopes() async throws {
        try await serving(["behaviors:write"]) { client in
            let problem = await #expect(throws: Problem.self) {
                _ = try await client.send(ListModules.self)
            }
            #expect(problem?.status == .forbidden)
        }
    }
}
