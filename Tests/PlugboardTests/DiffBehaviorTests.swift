import HTTPTypes
import Identity
import JSONCodec
import JSONPatch
import PlugHTTP
import Plugboard
import PlugboardClient
import Storage
import TestLog
import Testing

@Suite("Differences between revisions")
struct DiffBehaviorTests {
    private let folder: TemporaryFolder
    private static let texts = [
        #"[{"name": "Banner", "actions": [{"func": "show", "value": "Hello"}]}]"#,
        #"[{"name": "Banner", "actions": [{"func": "show", "value": "Good morning"}]}]"#,
        #"[{"name": "Banner", "when": {"rollout": 10}, "actions": []}, {"name": "B", "actions": []}]"#,
    ]

    init() throws { folder = try TemporaryFolder() }

    /// A server with those revisions, the last of them a draft; and staging with the first.
    private func serving(
        _ scopes: Scopes = ["behaviors:read", "behaviors:write"],
        _ body: (Site, Client) async throws -> Void
    ) async throws {
        var server = Server(logger: Journal().logger)
        server.configuration.dataFolder = folder["data"]
        let store = TokenStore(Storage.of(folder["data"]))
        let writer = try await store.create(name: "", scopes: ["behaviors:write"])
        let token = try await store.create(name: "", scopes: scopes)
        try await PlugboardTests.serving(server) { site in
            let client = Client(site.url, token: writer.text)
            for (place, text) in Self.texts.enumerated() {
                var put = PutBehavior.Input(name: "default", document: text)
                put.draft = place == 2
                _ = try await client.send(PutBehavior.self, put)
            }
            var put = PutBehavior.Input(name: "default", document: Self.texts[0])
            put.environment = "staging"
            put.create = true
            _ = try await client.send(PutBehavior.self, put)
            try await body(site, Client(site.url, token: token.text))
        }
    }

    private func diff(
        _ client: Client,
        _ from: Int?,
        _ to: Int?,
        fromEnvironment: String? = nil
    ) async throws -> DiffBehavior.Output {
        var input = DiffBehavior.Input(name: "default")
        (input.from, input.to, input.fromEnvironment) = (from, to, fromEnvironment)
        return try await client.send(DiffBehavior.self, input)
    }

    private func sides(_ difference: DiffBehavior.Output) -> [String] {
        [difference.from, difference.to].map { "\($0.environment) \($0.revision)" }
    }

    @Test("changes are described in words and as a patch")
    func told() async throws {
        try await serving { _, client in
            let words = try await diff(client, 1, 2)
            #expect(sides(words) == ["production 1", "production 2"])
            #expect(
                words.changes == [
                    #"module Banner: action show has the value "Good morning" now, was "Hello""#
                ]
            )
            #expect(
                words.patch.json == [
                    ["op": "replace", "path": "/0/actions/0/value", "value": "Good morning"]
                ]
            )
            for (from, to) in [(1, 2), (2, 1), (1, 3), (3, 2), (2, 2)] {
                let difference = try await diff(client, from, to)
                let old = try JSON(parsing: Self.texts[from - 1].utf8)
                let made = try difference.patch.apply(to: old)
                #expect(made == (try JSON(parsing: Self.texts[to - 1].utf8)))
                #expect(difference.changes.isEmpty == (from == to))
            }
        }
    }

    @Test("without a number the live revision is compared, also of another environment")
    func live() async throws {
        try await serving { _, client in
            let draft = try await diff(client, nil, 3)
            #expect(draft.from.revision == 2)
            #expect(draft.to.revision == 3)
            let none = try await diff(client, nil, nil)
            #expect(none.changes.isEmpty)
            #expect(none.patch.operations.isEmpty)
            let staging = try await diff(client, nil, nil, fromEnvironment: "staging")
            #expect(sides(staging) == ["staging 1", "production 2"])
            #expect(staging.changes.count == 1)
        }
    }

    @Test(
        "a missing or invalid revision is an error",
        arguments: [
            ("default/diff?from=9", 404), ("default/diff?to=9", 404), ("other/diff?from=1", 404),
            ("default/diff?from=1&environment=test", 404), ("default/diff?from=x", 422),
            ("default/diff?fromEnvironment=A", 422), ("default/diff?from=0", 404),
        ]
    )
    func refusals(target: String, status: Int) async throws {
        try await serving { _, client in
            let problem = await #expect(throws: Problem.self) {
                let _: JSON = try await client.get("/behaviors/\(target)")
            }
            #expect(problem?.status.code == status)
        }
    }

    @Test("the API description has the patch as a list of operations")
    func description() async throws {
        try await serving { site, _ in
            let api = try JSON(parsing: try await site.get("/openapi.json").body)
            let schemas = api["components"]?["schemas"]
            let patch = schemas?["DiffBehavior.Output"]?["properties"]?["patch"]
            #expect(patch == ["$ref": "#/components/schemas/Patch"])
            #expect(schemas?["Patch"]?["type"] == "array")
        }
    }

    @Test("it requires the scope behaviors:read")
    func scopes() async throws {
        try await serving(["behaviors:write"]) { site, client in
            let nobody = try await site.get("/behaviors/default/diff")
            #expect(nobody.status == 401)
            let problem = await #expect(throws: Problem.self) { try await diff(client, 1, 2) }
            #expect(problem?.status == .forbidden)
        }
    }
}
