import Authoring
import HTTPTypes
import Identity
import JSONCodec
import PlugHTTP
import Plugboard
import PlugboardClient
import Storage
import Targeting
import TestLog
import Testing

@Suite("Explanations of served behaviors")
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

    @Test("each module and action is explained, with rule, buckets and problems")
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
            #expect(
                targets[0].sentences
                    == [
                        #"in the segment baltic: country in ["LV","EE","LT"] is true: country is "LV""#
                    ]
            )
            #expect(targets[1].sentences == ["it has no rule"])
            let sentence = targets[2].sentences.first ?? ""
            #expect(sentence.contains("in the roll-out: bucket "))
            #expect(sentence.hasSuffix(" %, it takes those below 10 %"))
            let reads = targets[3].reads
            #expect(reads.map(\.path) == ["version"] && reads.allSatisfy(\.isMissing))
            #expect(reads.map(\.value) == [.null])
        }
    }

    @Test("any revision is explained by its number, even a draft or one of another environment")
    func revisions() async throws {
        func document(_ percentage: Int) -> String {
            #"[{"name":"A","actions":[{"func":"f","when":{"rollout":\#(percentage)}}]}]"#
        }
        try await serving(["behaviors:read", "behaviors:write"]) { _, client in
            func explain(
                _ revision: Int?,
                in environment: String? = nil
            ) async throws -> ExplainBehavior.Output {
                try await client.send(
                    ExplainBehavior.self,
                    .init(
                        name: "default",
                        context: ["targetingKey": "user-42"],
                        revision: revision,
                        environment: environment
                    )
                )
            }
            let file = try await explain(nil)
            #expect(file.revision == nil && file.environment == "production")
            #expect(try await explain(nil, in: "production").etag == file.etag)
            for (percentage, isDraft, environment) in [
                (100, false, nil), (0, true, nil), (0, false, nil), (100, true, nil),
                (100, false, "staging"),
            ] as [(Int, Bool, String?)] {
                var put = PutBehavior.Input(name: "default", document: document(percentage))
                put.draft = isDraft
                put.environment = environment
                put.create = environment == nil ? nil : true
                let input = put
                _ = try await client.send(PutBehavior.self, input)
            }
            for (revision, isKept) in [2: true, 3: false, 4: false, 5: true] {
                let told = try await explain(revision)
                #expect(told.revision == revision && told.environment == "production")
                #expect(told.targets.map(\.isKept) == [true, isKept])
            }
            let live = try await explain(nil)
            #expect(live.revision == 4)
            #expect(try await explain(4) == live)
            let staging = try await explain(nil, in: "staging")
            #expect(staging.revision == 1 && staging.environment == "staging")
            #expect(staging.targets.map(\.isKept) == [true, true])
            for (revision, environment, status) in [
                (9, nil, .notFound), (1, "nowhere", .notFound), (nil, "nowhere", .notFound),
                (1, "No", .unprocessableContent),
            ] as [(Int?, String?, HTTPResponse.Status)] {
                let problem = await #expect(throws: Problem.self) {
                    _ = try await explain(revision, in: environment)
                }
                #expect(problem?.status == status)
            }
        }
    }

    @Test("a document without rules is included completely")
    func plain() async throws {
        try folder.write("behaviors.json", #"[{"name":"A","actions":[{"func":"f"}]}]"#)
        try await serving { site, client in
            let explanation = try await client.send(ExplainBehavior.self, .init(name: "default"))
            let etag = try await site.get("/behaviors.json")["ETag"]
            #expect(explanation.etag == etag)
            #expect(explanation.targets.allSatisfy { $0.isKept && $0.rule == nil })
        }
    }

    @Test("it requires the scope behaviors:read")
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

    @Test("an unknown document is a 404, an invalid context a 422 with a pointer")
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
