import BehaviorStore
import HTTPTypes
import Identity
import JSONCodec
import Plug
import PlugHTTP
import Plugboard
import PlugboardClient
import Storage
import TestLog
import Testing

private class Other: Action<Void, Void> {}

@Suite("Patches of behaviors over HTTP (RFC 5789)")
struct PatchBehaviorTests {
    private let folder: TemporaryFolder
    private static let first = "[ {\"name\": \"A\", \"actions\": [ ]} ]\n"
    private static let rename = #"[{"op": "replace", "path": "/0/name", "value": "B"}]"#
    private static let operations = ("Content-Type", "application/json-patch+json")
    private static let merge = ("Content-Type", "application/merge-patch+json")
    private static let types = "application/json-patch+json, application/merge-patch+json"

    init() throws {
        folder = try TemporaryFolder()
        Other.self <~ {}
    }

    private var server: Server {
        // Where there are actions there is a batch.
        var server = Server(logger: Journal().logger) { Other.self }
        server.configuration.dataFolder = folder["data"]
        return server
    }

    private func token(
        _ scopes: Scopes = ["behaviors:read", "behaviors:write"]
    ) async throws -> (String, String) {
        let made = try await TokenStore(Storage.of(folder["data"])).create(name: "", scopes: scopes)
        return ("Authorization", "Bearer \(made.text)")
    }

    private func put(
        _ site: Site,
        _ token: (String, String),
        _ text: String = Self.first
    ) async throws {
        let fields = [token, ("Content-Type", "application/json")]
        let put = try await site.send("PUT", "/behaviors/default", fields: fields, body: text)
        #expect(put.status == 201)
    }

    private func json(_ answer: Answer) throws -> JSON { try JSON(parsing: answer.body) }

    @Test("both kinds of patches create the next live revision")
    func patch() async throws {
        let token = try await token()
        try await serving(server) { site in
            try await put(site, token)
            let renamed = try await site.send(
                "PATCH",
                "/behaviors/default?message=Renamed",
                fields: [token, Self.operations],
                body: Self.rename
            )
            #expect(renamed.status == 201)
            #expect(renamed["ETag"] == "\"2\"")
            #expect(renamed["Location"] == "/behaviors/default/revisions/2?environment=production")
            #expect(try json(renamed)["message"] == "Renamed")
            let served = try await site.get("/behaviors.json")
            #expect(served.text == #"[{"name":"B","actions":[]}]"#)
            let merged = try await site.send(
                "PATCH",
                "/behaviors/default?draft=true&environment=production",
                fields: [token, ("content-type", "Application/Merge-Patch+JSON ; charset=utf-8")],
                body: #"[{"name":"C","actions":[]}]"#
            )
            #expect(merged.status == 201)
            #expect(merged["ETag"] == nil)
            #expect(try json(merged)["state"] == "draft")
            let still = try await site.get("/behaviors.json")
            #expect(still.text == served.text)
            let tested = try await site.send(
                "PATCH",
                "/behaviors/default?revision=3",
                fields: [token, Self.operations],
                body: #"[{"op": "test", "path": "/0/name", "value": "C"}]"#
            )
            #expect(tested.status == 201)
            let last = try await site.get("/behaviors.json")
            #expect(last.text == #"[{"name":"C","actions":[]}]"#)
        }
    }

    @Test("the second of two writers with the same tag gets a 412 (RFC 9110 §13.1.1)")
    func preconditions() async throws {
        let token = try await token()
        try await serving(server) { site in
            func patch(_ name: String, _ value: String) async throws -> Answer {
                try await site.send(
                    "PATCH",
                    "/behaviors/default",
                    fields: [token, Self.operations, (name, value)],
                    body: Self.rename
                )
            }
            let nothing = try await patch("If-Match", "*")
            #expect(nothing.status == 412)
            try await put(site, token)
            let first = try await patch("If-Match", "\"1\"")
            #expect(first.status == 201)
            let late = try await patch("If-Match", "\"1\"")
            #expect(late.status == 412)
            #expect(try json(late)["live"] == 2)
            let none = try await patch("If-None-Match", "*")
            #expect(none.status == 412)
            let history = try await site.send(
                "GET",
                "/behaviors/default/revisions",
                fields: [token]
            )
            #expect(try json(history).array?.count == 2)
        }
    }

    @Test(
        "another media type is a 415 that lists the patches' (RFC 5789 §2.2)",
        arguments: [
            "application/json", "application/x-www-form-urlencoded", "text/plain", "",
            "application/json-patch", "application/json-patch+jso", "application/json-patch+jsonx",
            "application/json;application/json-patch+json", nil,
        ],
        [Self.rename, ""]
    )
    func mediaTypes(type: String?, body: String) async throws {
        let token = try await token()
        try await serving(server) { site in
            try await put(site, token)
            let fields = [token] + (type.map { [("Content-Type", $0)] } ?? [])
            let answer = try await site.send(
                "PATCH",
                "/behaviors/default",
                fields: fields,
                body: body
            )
            #expect(answer.status == 415)
            #expect(answer["Accept-Patch"] == Self.types)
            #expect(answer["Accept"] == Self.types)
            #expect(answer.mediaType == Problem.mediaType)
            let twice = try await site.send(
                "PATCH",
                "/behaviors/default",
                fields: [token, Self.operations, Self.merge],
                body: Self.rename
            )
            #expect(twice.status == 400)
        }
    }

    @Test("OPTIONS lists the method and the patches' media types (RFC 5789 §3.1)")
    func options() async throws {
        try await serving(server) { site in
            let answer = try await site.send("OPTIONS", "/behaviors/default")
            #expect(answer.status == 204)
            #expect(answer["Allow"] == "PUT, PATCH, OPTIONS")
            #expect(answer["Accept-Patch"] == Self.types)
            let other = try await site.send("OPTIONS", "/behaviors/default/rollback")
            #expect(other["Accept-Patch"] == nil)
            let post = try await site.post("/behaviors/default", "{}")
            #expect(post.status == 405)
            #expect(post["Allow"] == "PUT, PATCH, OPTIONS")
        }
    }

    @Test(
        "a patch that can't be applied is rejected with a pointer, and nothing is stored",
        arguments: [
            ("[", 400, "/0", nil), ("", 422, "/patch", nil), ("{}", 400, "", nil),
            (#"[{"op":"add","path":"/0/x","value":tru}]"#, 400, "/0/value", nil),
            (#"[{"op":"fly","path":""}]"#, 400, "/0/op", 0),
            (#"[{"op":"add","path":"/0/name"}]"#, 400, "/0/value", 0),
            (#"[{"op":"test","path":"/0/name","value":"Z"}]"#, 409, "/0/name", 0),
            (#"[{"op":"test","path":"","value":[]},{"op":"fly"}]"#, 400, "/1/op", 1),
            (#"[{"op":"add","path":"/0/a","value":1},{"op":"remove","path":"/7"}]"#, 409, "/7", 1),
            (#"[{"op":"remove","path":"/0/actions"}]"#, 422, "/0/actions", nil),
            (#"[{"op":"remove","path":""}]"#, 409, "", 0),
            (
                "[" + String(repeating: #"{"op":"test","path":"","value":1},"#, count: 10_000)
                    + #"{"op":"remove","path":"/0"}]"#, 422, "", 10_000
            ),
        ] as [(String, Int, String, Int?)]
    )
    func refusals(body: String, status: Int, pointer: String, operation: Int?) async throws {
        let token = try await token()
        try await serving(server) { site in
            let path = "/behaviors/default"
            let fields = [token, Self.operations]
            let nothing = try await site.send("PATCH", path, fields: fields, body: "[]")
            #expect(nothing.status == 404)
            try await put(site, token)
            let answer = try await site.send("PATCH", path, fields: fields, body: body)
            #expect(answer.status == status, "\(answer.text)")
            let problem = try json(answer)
            #expect(problem["errors"]?[0]?["pointer"] == .string(pointer), "\(answer.text)")
            #expect(problem["operation"] == operation.map { .number(JSON.Number($0)) })
            let served = try await site.get("/behaviors.json")
            #expect(served.text == Self.first)
            for (target, status) in [
                ("?revision=9", 404), ("?revision=x", 422), ("?draft=perhaps", 422),
                ("?environment=staging", 404), ("?environment=.", 422),
            ] {
                let answer = try await site.send("PATCH", path + target, fields: fields, body: "[]")
                #expect(answer.status == status, "\(target): \(answer.text)")
            }
        }
    }

    @Test("concurrent patches without a precondition are all applied")
    func together() async throws {
        let token = try await token()
        try await serving(server) { site in
            try await put(site, token)
            try await withThrowingTaskGroup { group in
                for number in 0..<10 {
                    group.addTask {
                        let body = #"""
                            [{"op":"add","path":"/0/actions/-","value":{"func":"f\#(number)"}}]
                            """#
                        let answer = try await site.send(
                            "PATCH",
                            "/behaviors/default",
                            fields: [token, Self.operations],
                            body: body
                        )
                        #expect(answer.status == 201)
                    }
                }
                try await group.waitForAll()
            }
            let served = try await site.get("/behaviors.json")
            let functions = try json(served)[0]?["actions"]?.array?.compactMap(\.["func"]?.string)
            #expect(functions?.sorted() == (0..<10).map { "f\($0)" })
        }
    }

    @Test("a patch requires its scope")
    func scopes() async throws {
        let reader = try await token(["behaviors:read"])
        try await serving(server) { site in
            for (fields, status) in [([], 401), ([reader], 403)] as [([(String, String)], Int)] {
                let answer = try await site.send(
                    "PATCH",
                    "/behaviors/default",
                    fields: fields + [Self.operations],
                    body: Self.rename
                )
                #expect(answer.status == status)
            }
        }
    }

    @Test("a client and a batch patch through the contract")
    func client() async throws {
        let token = try await token()
        try await serving(server) { site in
            try await put(site, token)
            let client = Client(site.url, token: String(token.1.dropFirst("Bearer ".count)))
            var input = PatchBehavior.Input(name: "default", patch: Self.rename, .operations)
            input.ifMatch = "\"1\""
            let made = try await client.send(PatchBehavior.self, input)
            #expect(made.revision == 2)
            input.ifMatch = nil
            input.patch = "null"
            input.mediaType = "text/plain"
            let problem = await #expect(throws: Problem.self) {
                try await client.send(PatchBehavior.self, input)
            }
            #expect(problem?.status == .unsupportedMediaType)
            func item(_ mediaType: JSON) -> Batch.Item {
                let input: JSON = [
                    "name": "default", "patch": .string(Self.rename), "mediaType": mediaType,
                ]
                return Batch.Item(action: "PatchBehavior", input: input)
            }
            let answers = try await client.send(
                Batch.self,
                [item("application/json-patch+json"), item("text/plain"), item(nil)]
            )
            #expect(answers.map(\.status) == [201, 415, 422])
        }
    }

    @Test("the API description has both media types with their schemas, and the responses")
    func description() async throws {
        try await serving(server) { site in
            let api = try json(try await site.get("/openapi.json"))
            let operation = api["paths"]?["/behaviors/{name}"]?["patch"]
            let content = operation?["requestBody"]?["content"]
            #expect(content?.object?.names.joined(separator: ", ") == Self.types)
            let items = content?["application/json-patch+json"]?["schema"]?["items"]
            #expect(items?["oneOf"]?.array?.count == 3)
            let names = operation?["parameters"]?.array?.compactMap(\.["name"]?.string) ?? []
            #expect(!names.contains { $0.lowercased() == "content-type" })
            #expect(names.contains("If-Match"))
            #expect(names.contains("revision"))
            let responses = operation?["responses"]
            #expect(responses?["201"]?["headers"]?["Location"] != nil)
            #expect(responses?["200"] == nil)
            #expect(responses?["415"] != nil)
        }
    }
}
