import BehaviorStore
import Foundation
import HTTPTypes
import Identity
import JSONCodec
import Plug
import PlugHTTP
import Plugboard
import PlugboardClient
import Storage
import Testing

@Suite("Authoring of behaviors")
struct BehaviorAdministrationTests {
    private let place: BehaviorsPlace

    init() throws { place = try BehaviorsPlace() }

    private func json(_ answer: Answer) throws -> JSON { try JSON(parsing: answer.body) }

    @Test("a published document is served immediately with the same bytes, and after a restart")
    func put() async throws {
        let fields = try await place.fields()
        try await serving(place.server()) { site in
            let before = try await site.get("/behaviors.json")
            #expect(before.text == "[]")
            let put = try await site.send(
                "PUT",
                "/behaviors/default?message=The%20first",
                fields: fields,
                body: BehaviorsPlace.first
            )
            #expect(put.status == 201)
            #expect(put["ETag"] == "\"2\"")
            #expect(put["Location"] == "/behaviors/default/revisions/2?environment=production")
            let report = try json(put)
            #expect(report["revision"] == 2)
            #expect(report["state"] == "live")
            #expect(report["message"] == "The first")
            #expect(report["authorName"] == "ada")
            let after = try await site.get("/behaviors.json")
            #expect(after.text == BehaviorsPlace.first)
            let other = try await site.send(
                "PUT",
                "/behaviors/banner",
                fields: fields,
                body: BehaviorsPlace.second
            )
            #expect(other.status == 201)
            let banner = try await site.get("/behaviors/banner.json")
            #expect(banner.text == BehaviorsPlace.second)
            let bytes = try await site.send(
                "GET",
                "/behaviors/default/revisions/2",
                fields: fields
            )
            #expect(bytes.text == BehaviorsPlace.first)
            #expect(bytes.mediaType == "application/json")
            let listed = try await site.send("GET", "/behaviors", fields: fields)
            #expect(try json(listed).array?.map { $0["name"] } == ["banner", "default"])
        }
        try await serving(place.server()) { site in
            let default_ = try await site.get("/behaviors.json")
            #expect(default_.text == BehaviorsPlace.first)
            let banner = try await site.get("/behaviors/banner.json")
            #expect(banner.text == BehaviorsPlace.second)
        }
    }

    @Test("a server without a file serves the published document of its own environment")
    func environments() async throws {
        let fields = try await place.fields()
        try await serving(place.server(environment: "staging", hasFile: false)) { site in
            let nothing = try await site.get("/behaviors.json")
            #expect(nothing.status == 404)
            let production = "/behaviors/default?environment=production&create=true"
            var put = try await site.send(
                "PUT",
                production,
                fields: fields,
                body: BehaviorsPlace.first
            )
            #expect(put.status == 201)
            let still = try await site.get("/behaviors.json")
            #expect(still.status == 404)
            put = try await site.send(
                "PUT",
                "/behaviors/default",
                fields: fields,
                body: BehaviorsPlace.second
            )
            #expect(try json(put)["environment"] == "staging")
            let all = try await site.send("GET", "/environments", fields: fields)
            #expect(
                try json(all) == [
                    [
                        "environment": "production", "approvals": 0, "documents": 1,
                        "served": false,
                    ],
                    ["environment": "staging", "approvals": 0, "documents": 1, "served": true],
                ]
            )
            let served = try await site.get("/behaviors.json")
            #expect(served.text == BehaviorsPlace.second)
            let options = try await site.send("PUT", "/behaviors.json", fields: fields, body: "[]")
            #expect(options.status == 405)
            let back = try await site.post(
                "/behaviors/default/rollback?environment=production",
                #"{"revision": 1}"#,
                Array(fields.prefix(1))
            )
            #expect(back.status == 201)
            #expect(try json(back)["environment"] == "production")
        }
    }

    @Test(
        "a client sends the document as the body, and the rest in the query and fields"
    )
    func client() async throws {
        let made = try await TokenStore(Storage.of(place.folder["data"]))
            .create(name: "", scopes: ["behaviors:write", "behaviors:read"])
        try await serving(place.server()) { site in
            let client = Client(site.url, token: made.text)
            var input = PutBehavior.Input(name: "a-b", document: BehaviorsPlace.second)
            input.message = "Größer & lauter = \"besser\""
            input.ifNoneMatch = "*"
            let put = try await client.send(PutBehavior.self, input)
            #expect(put.message == input.message)
            #expect(put.author == made.record.id)
            #expect(put.authorName == nil)
            let served = try await site.get("/behaviors/a-b.json")
            #expect(served.text == BehaviorsPlace.second)
            var change = RollBackBehavior.Input(name: "a-b", revision: 1)
            change.environment = "staging"
            let problem = await #expect(throws: Problem.self) {
                try await client.send(RollBackBehavior.self, change)
            }
            #expect(problem?.status == .notFound)
            #expect(problem?.detail?.contains("staging") == true)
        }
    }

    @Test("the API description has the document's schema and the patterns of names")
    func description() async throws {
        try await serving(place.server()) { site in
            let api = try json(try await site.get("/openapi.json"))
            let put = api["paths"]?["/behaviors/{name}"]?["put"]
            let content = put?["requestBody"]?["content"]?["application/json"]
            let forms = content?["schema"]?["oneOf"]?.array ?? []
            #expect(forms.map { $0["type"] } == ["array", "object"])
            #expect(forms.first?["items"]?["required"] == ["name", "actions"])
            let parameters = put?["parameters"]?.array ?? []
            let patterns = parameters.filter { $0["schema"]?["pattern"] != nil }
                .compactMap { $0["name"]?.string }
            #expect(patterns == ["name", "message", "environment"])
            #expect(put?["responses"]?["201"] != nil)
            #expect(put?["responses"]?["200"] == nil)
            let explain = api["components"]?["schemas"]?["ExplainedContext"]
            #expect(explain?["type"] == "object")
        }
    }

    @Test("a start creates no file; an invalid environment is a start-up error")
    func start() async throws {
        try await serving(place.server()) { site in
            let answer = try await site.get("/behaviors.json")
            #expect(answer.text == "[]")
        }
        #expect(!FileManager.default.fileExists(atPath: place.folder["data"]))
        let error = #expect(throws: StartError.self) {
            _ = try place.server(environment: "A b").start()
        }
        #expect(error?.description.contains("A b is not a valid environment name") == true)
    }
}
