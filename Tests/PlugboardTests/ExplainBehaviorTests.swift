import HTTPTypes
import Identity
import JSONCodec
import PlugHTTP
import Plugboard
import PlugboardClient
import Storage
import Targeting
import Testing

@Suite("Why somebody is given what they are given")
struct ExplainBehaviorTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(
            "behaviors.json",
            #"""
            {"segments": {"baltic": {"in": [{"var": "country"}, ["LV", "EE", "LT"]]}},
             "modules": [{"name": "Banner", "when": {"segment": "baltic"}, "actions": [
                {"func": "show"}, {"func": "sparkle", "when": {"rollout": 10}},
                {"func": "new", "when": {"sem_ver": [{"var": "version"}, ">=", "2.0.0"]}}]}]}
            """#
        )
    }

    private func serving(
        _ scopes: Scopes = ["behaviors:read"],
        _ body: (Site, Client) async throws -> Void
    ) async throws {
        let tokens = TokenStore(Storage.of(folder["data"]))
        let token = try await tokens.create(name: "ada", scopes: scopes).text
        var server = Server(behaviors: .file(folder["behaviors.json"]), logger: Journal().logger)
        server.configuration.dataFolder = folder["data"]
        try await PlugboardTests.serving(server) { site in
            try await body(site, Client(site.url, token: token))
        }
    }

    @Test("each module and action is told, with rule, buckets and problems")
    func explained() async throws {
        try await serving { site, client in
            let explanation = try await client.send(
                ExplainBehavior.self,
                .init(name: "default", context: ["targetingKey": "user-42", "country": "LV"])
            )
            let target = "/behaviors.json?targetingKey=user-42&country=LV"
            let etag = try await site.get(target)["ETag"]
            #expect(explanation.name == "default" && explanation.etag == etag)
            let targets = explanation.targets
            #expect(
                targets.map(\.pointer) == [
                    "/modules/0", "/modules/0/actions/0", "/modules/0/actions/1",
                    "/modules/0/actions/2",
                ]
            )
            #expect(targets[0].isKept && targets[0].rule == "/modules/0/when")
            #expect(targets[0].steps.map(\.pointer).last == "/segments/baltic")
            #expect(targets[1].isKept && targets[1].rule == nil)
            #expect(targets[2].buckets.first?.key == "Banner/sparkleuser-42")
            #expect((0..<100_000).contains(targets[2].buckets.first?.bucket ?? -1))
            #expect(targets[2].isKept == ((targets[2].buckets.first?.bucket ?? 0) < 10_000))
            #expect(!targets[3].isKept && targets[3].problems.count == 1)
        }
    }

    @Test("a document without rules is kept as a whole")
    func plain() async throws {
        try folder.write("behaviors.json", #"[{"name":"A","actions":[{"func":"f"}]}]"#)
        try await serving { site, client in
            let explanation = try await client.send(ExplainBehavior.self, .init(name: "default"))
            let etag = try await site.get("/behaviors.json")["ETag"]
            #expect(explanation.etag == etag)
            #expect(explanation.targets.allSatisfy { $0.isKept && $0.rule == nil })
        }
    }

    @Test("it is for those with the scope behaviors:read")
    func scopes() async throws {
        try await serving(["photos:read"]) { site, client in
            let nobody = try await site.post("/behaviors/default/explain", "{}")
            #expect(nobody.status == 401)
            let problem = await #expect(throws: Problem.self) {
                _ = try await client.send(ExplainBehavior.self, .init(name: "default"))
            }
            #expect(problem?.status == .forbidden)
        }
    }

    @Test("a document that nobody serves is 404, a context that is none 422 with a pointer")
    func refused() async throws {
        try await serving { _, client in
            let missing = await #expect(throws: Problem.self) {
                _ = try await client.send(ExplainBehavior.self, .init(name: "other"))
            }
            #expect(missing?.status == .notFound)
            for (context, pointer) in [
                (["targetingKey": 7], "/context/targetingKey"), ([], "/context"),
            ] as [(JSON, String)] {
                let problem = await #expect(throws: Problem.self) {
                    _ = try await client.send(
                        ExplainBehavior.self,
                        .init(name: "default", context: context)
                    )
                }
                #expect(problem?.status == .unprocessableContent)
                #expect(problem?.errors?.map(\.pointer) == [pointer])
            }
        }
    }
}
