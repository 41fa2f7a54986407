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

@Suite("The authoring of behaviors")
struct BehaviorAdministrationTests {
    private let folder: TemporaryFolder
    private let journal = Journal()
    private static let first = "[ {\"name\":\"A\",\n\"actions\":[]} ]\n"
    private static let second = #"[{"name":"Bé","actions":[{"func":"b","value":1}]}]"#

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("behaviors.json", "[]")
    }

    private func server(environment: String = "production", hasFile: Bool = true) -> Server {
        var server = Server(
            behaviors: hasFile ? .file(folder["behaviors.json"]) : nil,
            logger: journal.logger
        )
        server.configuration.dataFolder = folder["data"]
        server.configuration.environment = environment
        return server
    }

    private func fields(
        _ scopes: Scopes = ["behaviors:read", "behaviors:write", "behaviors:approve"]
    ) async throws -> [(String, String)] {
        let made = try await TokenStore(Storage.of(folder["data"]))
            .create(name: "ada", scopes: scopes)
        return [
            ("Authorization", "Bearer \(made.text)"), ("Content-Type", "application/json"),
        ]
    }

    private func json(_ answer: Answer) throws -> JSON { try JSON(parsing: answer.body) }

    @Test("what is put is served at once, byte by byte, and again after a restart")
    func put() async throws {
        let fields = try await fields()
        try await serving(server()) { site in
            let before = try await site.get("/behaviors.json")
            #expect(before.text == "[]")
            let put = try await site.send(
                "PUT",
                "/behaviors/default?message=The%20first",
                fields: fields,
                body: Self.first
            )
            #expect(put.status == 201)
            #expect(put["ETag"] == "\"1\"")
            #expect(put["Location"] == "/behaviors/default/revisions/1?environment=production")
            let report = try json(put)
            #expect(report["revision"] == 1)
            #expect(report["state"] == "live")
            #expect(report["message"] == "The first")
            #expect(report["authorName"] == "ada")
            let after = try await site.get("/behaviors.json")
            #expect(after.text == Self.first)
            let other = try await site.send(
                "PUT",
                "/behaviors/banner",
                fields: fields,
                body: Self.second
            )
            #expect(other.status == 201)
            let banner = try await site.get("/behaviors/banner.json")
            #expect(banner.text == Self.second)
            let bytes = try await site.send(
                "GET",
                "/behaviors/default/revisions/1",
                fields: fields
            )
            #expect(bytes.text == Self.first)
            #expect(bytes.mediaType == "application/json")
            let listed = try await site.send("GET", "/behaviors", fields: fields)
            #expect(try json(listed).array?.map { $0["name"] } == ["banner", "default"])
        }
        try await serving(server()) { site in
            let default_ = try await site.get("/behaviors.json")
            #expect(default_.text == Self.first)
            let banner = try await site.get("/behaviors/banner.json")
            #expect(banner.text == Self.second)
        }
    }

    @Test("a server without a file serves what is put; of another environment it serves that one's")
    func environments() async throws {
        let fields = try await fields()
        try await serving(server(environment: "staging", hasFile: false)) { site in
            let nothing = try await site.get("/behaviors.json")
            #expect(nothing.status == 404)
            let production = "/behaviors/default?environment=production"
            var put = try await site.send("PUT", production, fields: fields, body: Self.first)
            #expect(put.status == 201)
            let still = try await site.get("/behaviors.json")
            #expect(still.status == 404)
            put = try await site.send(
                "PUT",
                "/behaviors/default",
                fields: fields,
                body: Self.second
            )
            #expect(try json(put)["environment"] == "staging")
            let served = try await site.get("/behaviors.json")
            #expect(served.text == Self.second)
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

    @Test("drafts, publishing, rolling back and the history's pages")
    func history() async throws {
        let fields = try await fields()
        try await serving(server()) { site in
            func put(_ query: String, _ text: String) async throws -> Int {
                try await site.send(
                    "PUT",
                    "/behaviors/default?\(query)",
                    fields: fields,
                    body: text
                ).status
            }
            #expect(try await put("draft=true", Self.first) == 201)
            let hidden = try await site.get("/behaviors.json")
            #expect(hidden.text == "[]")
            let published = try await site.send(
                "POST",
                "/behaviors/default/publish",
                fields: fields,
                body: #"{"revision": 1}"#
            )
            #expect(published.status == 200)
            #expect(published["ETag"] == "\"1\"")
            let live = try await site.get("/behaviors.json")
            #expect(live.text == Self.first)
            #expect(try await put("", Self.second) == 201)
            let back = try await site.send(
                "POST",
                "/behaviors/default/rollback",
                fields: fields,
                body: #"{"revision": 1, "message": "Too loud"}"#
            )
            #expect(back.status == 201)
            #expect(try json(back)["revision"] == 3)
            let again = try await site.get("/behaviors.json")
            #expect(again.text == Self.first)
            func page(_ query: String) async throws -> [JSON?] {
                let answer = try await site.send(
                    "GET",
                    "/behaviors/default/revisions?\(query)",
                    fields: fields
                )
                return try json(answer).array?.map { $0["revision"] } ?? []
            }
            #expect(try await page("") == [3, 2, 1])
            #expect(try await page("limit=2") == [3, 2])
            #expect(try await page("before=2") == [1])
            #expect(try await page("before=1") == [])
        }
        let line = try await journal.line(with: "revision 3 of default in production is live")
        #expect(line.contains("notice"))
    }

    @Test("who comes second with the tag that both have seen is told so (RFC 9110 §13.1.1)")
    func preconditions() async throws {
        let fields = try await fields()
        try await serving(server()) { site in
            func put(_ name: String, _ value: String) async throws -> Answer {
                try await site.send(
                    "PUT",
                    "/behaviors/default",
                    fields: fields + [(name, value)],
                    body: Self.first
                )
            }
            #expect(try await put("If-Match", "*").status == 412)
            #expect(try await put("If-Match", "\"1\"").status == 412)
            #expect(try await put("If-None-Match", "*").status == 201)
            #expect(try await put("If-None-Match", "*").status == 412)
            #expect(try await put("If-Match", "\"1\"").status == 201)
            let late = try await put("If-Match", "\"1\"")
            #expect(late.status == 412)
            #expect(try json(late)["live"] == 2)
            #expect(try await put("If-Match", "W/\"2\"").status == 412)
            #expect(try await put("If-Match", "\"02\"").status == 412)
            #expect(try await put("If-Match", "\"7\", \"2\"").status == 201)
            #expect(try await put("If-Match", "3").status == 400)
            #expect(try await put("If-Match", "\"3").status == 400)
            #expect(try await put("If-Match", "*, \"3\"").status == 400)
            #expect(try await put("If-None-Match", "3").status == 400)
            #expect(try await put("If-None-Match", "\"1\", \"3\"").status == 412)
            #expect(try await put("If-None-Match", "W/\"3\"").status == 412)
            #expect(try await put("If-Match", ", W/\"1\" ,\"a,b\",,\"2\"\t").status == 412)
            #expect(try await put("If-None-Match", "\"1\", \"x\"").status == 201)
            let both = try await site.send(
                "PUT",
                "/behaviors/default",
                fields: fields + [("If-Match", "*"), ("If-None-Match", "\"4\"")],
                body: Self.first
            )
            #expect(both.status == 412)
            let history = try await site.send(
                "GET",
                "/behaviors/default/revisions",
                fields: fields
            )
            #expect(try json(history).array?.count == 4)
        }
    }

    @Test(
        "what can't be a document is refused with what is wrong, and nothing is kept",
        arguments: [
            ("", 422, "/document"), ("[", 400, ""), ("nul", 400, ""), ("\u{FEFF}[]", 400, ""),
            ("{}", 422, "/modules"), ("1", 422, ""), (#"[{"name":"A"}]"#, 422, "/0/actions"),
            (#"[{"name":"A","actions":[{"func":1}]}]"#, 422, "/0/actions/0/func"),
            (#"[{"name":"A","actions":[],"when":{"nope":[]}}]"#, 422, "/0/when/nope"),
            (#"[{"name":"A","actions":[],"when":{"rollout":"x"}}]"#, 422, "/0/when/rollout"),
            (String(repeating: "[", count: 100_000), 400, ""),
        ]
    )
    func invalid(text: String, status: Int, pointer: String) async throws {
        let fields = try await fields()
        try await serving(server()) { site in
            let put = try await site.send(
                "PUT",
                "/behaviors/default",
                fields: fields,
                body: text
            )
            #expect(put.status == status, "\(put.text)")
            #expect(put.mediaType == Problem.mediaType)
            if status == 422 {
                let errors = try json(put)["errors"]?.array
                #expect(
                    errors?.first?["pointer"]?.string?.hasPrefix(pointer) == true,
                    "\(put.text)"
                )
            }
            let history = try await site.send(
                "GET",
                "/behaviors/default/revisions",
                fields: fields
            )
            #expect(history.status == 404)
        }
    }

    @Test("names, queries and media types that are none are refused, and paths lead nowhere else")
    func attacks() async throws {
        let fields = try await fields()
        try await serving(server()) { site in
            for (method, target, body, status) in [
                ("PUT", "/behaviors/A", Self.first, 400),
                ("PUT", "/behaviors/..%2F..%2Fetc", Self.first, 400),
                ("PUT", "/behaviors/a%00", Self.first, 400),
                ("PUT", "/behaviors/" + String(repeating: "a", count: 64), Self.first, 400),
                ("PUT", "/behaviors/a?environment=..", Self.first, 422),
                ("PUT", "/behaviors/a?draft=perhaps", Self.first, 422),
                ("PUT", "/behaviors/a?message=%00", Self.first, 400),
                (
                    "PUT", "/behaviors/a?message=" + String(repeating: "m", count: 1001),
                    Self.first, 422
                ),
                ("POST", "/behaviors/a/rollback", #"{"revision":1}"#, 404),
                ("POST", "/behaviors/a/rollback", #"{"revision":-1}"#, 404),
                ("POST", "/behaviors/a/rollback", #"{"revision":1e99}"#, 422),
                ("POST", "/behaviors/a/publish", "{}", 422),
                ("GET", "/behaviors/a/revisions", nil, 404),
                ("GET", "/behaviors/a/revisions?before=0", nil, 422),
                ("GET", "/behaviors/a/revisions?limit=101", nil, 422),
                ("GET", "/behaviors/a/revisions/x", nil, 400),
                ("GET", "/behaviors/a/revisions/1", nil, 404),
                ("GET", "/behaviors/a.json", nil, 404),
            ] as [(String, String, String?, Int)] {
                let answer = try await site.send(method, target, fields: fields, body: body)
                #expect(answer.status == status, "\(method) \(target): \(answer.text)")
            }
            let noName = "expected a small letter or digit, and up to 62 more or hyphens"
            for (method, target, body, pointer, status) in [
                ("PUT", "/behaviors/A_", Self.first, "/name", 400),
                ("GET", "/behaviors?environment=A", nil, "/environment", 422),
                ("POST", "/behaviors/a/promote", #"{"to":"A"}"#, "/to", 422),
                ("POST", "/behaviors/a/promote", #"{"to":"a","from":"-"}"#, "/from", 422),
                (
                    "POST", "/behaviors/a/approve?environment=A", #"{"revision":1}"#,
                    "/environment", 422
                ),
                ("GET", "/behaviors/a/schedules?environment=A", nil, "/environment", 422),
                ("DELETE", "/behaviors/A/schedules/1", nil, "/name", 400),
                ("GET", "/environments/A", nil, "/environment", 400),
            ] as [(String, String, String?, String, Int)] {
                let answer = try await site.send(method, target, fields: fields, body: body)
                #expect(answer.status == status, "\(method) \(target): \(answer.text)")
                #expect(
                    try json(answer)["errors"]
                        == [["pointer": .string(pointer), "detail": .string(noName)]]
                )
            }
            // What travels in the body comes from nowhere else, nor does the name.
            let query = "?document=%5B%5D&name=other&ifMatch=%221%22"
            let put = try await site.send(
                "PUT",
                "/behaviors/a" + query,
                fields: fields,
                body: Self.first
            )
            #expect(put.status == 201)
            let served = try await site.get("/behaviors/a.json")
            #expect(served.text == Self.first)
            let form = [fields[0], ("Content-Type", "application/x-www-form-urlencoded")]
            let other = try await site.send("PUT", "/behaviors/a", fields: form, body: Self.first)
            #expect(other.status == 415)
            let large = "[" + String(repeating: " ", count: 1 << 20) + "]"
            let tooLarge = try await site.send(
                "PUT",
                "/behaviors/a",
                fields: fields,
                body: large
            )
            #expect(tooLarge.status == 413)
        }
    }

    @Test("without its scope nobody sees or changes anything")
    func scopes() async throws {
        let reader = try await fields(["behaviors:read"])
        let writer = try await fields(["behaviors:write"])
        try await serving(server()) { site in
            for (method, target, body) in [
                ("PUT", "/behaviors/default", Self.first),
                ("POST", "/behaviors/default/publish", #"{"revision":1}"#),
                ("POST", "/behaviors/default/rollback", #"{"revision":1}"#),
                ("GET", "/behaviors", nil), ("GET", "/behaviors/default/revisions", nil),
                ("GET", "/behaviors/default/revisions/1", nil),
            ] as [(String, String, String?)] {
                let json = [("Content-Type", "application/json")]
                let nobody = try await site.send(method, target, fields: json, body: body)
                #expect(nobody.status == 401)
                let fields = method == "GET" ? writer : reader
                let other = try await site.send(method, target, fields: fields, body: body)
                #expect(other.status == 403)
            }
        }
    }

    @Test(
        "a client puts by the contract: the body is the document, the rest is in query and fields"
    )
    func client() async throws {
        let made = try await TokenStore(Storage.of(folder["data"]))
            .create(name: "", scopes: ["behaviors:write", "behaviors:read"])
        try await serving(server()) { site in
            let client = Client(site.url, token: made.text)
            var input = PutBehavior.Input(name: "a-b", document: Self.second)
            input.message = "Größer & lauter = \"besser\""
            input.ifNoneMatch = "*"
            let put = try await client.send(PutBehavior.self, input)
            #expect(put.message == input.message)
            #expect(put.author == made.record.id)
            #expect(put.authorName == nil)
            let served = try await site.get("/behaviors/a-b.json")
            #expect(served.text == Self.second)
            var change = RevisionChange(name: "a-b", revision: 1)
            change.environment = "staging"
            let problem = await #expect(throws: Problem.self) {
                try await client.send(RollBackBehavior.self, change)
            }
            #expect(problem?.status == .notFound)
            #expect(problem?.detail?.contains("staging") == true)
        }
    }

    @Test("the description says what a document is, and what names and conditions have to be")
    func description() async throws {
        try await serving(server()) { site in
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

    @Test("a time in the past is refused at its place")
    func past() async throws {
        let fields = try await fields()
        try await serving(server()) { site in
            _ = try await site.send("PUT", "/behaviors/default", fields: fields, body: "[]")
            let late = try await site.send(
                "POST",
                "/behaviors/default/schedules",
                fields: fields,
                body: #"{"revision":1,"at":"2025-11-22T18:00:00Z"}"#
            )
            #expect(late.status == 422)
            #expect(try json(late)["errors"]?.array?.first?["pointer"] == "/at")
        }
    }

    @Test("where a document is read nothing is written, whatever an action takes for a name")
    func readOnly() async throws {
        let fields = try await fields()
        try await serving(server()) { site in
            let put = try await site.send(
                "PUT",
                "/behaviors/a",
                fields: fields,
                body: Self.first
            )
            #expect(put.status == 201)
            for target in ["/behaviors/a.json", "/behaviors/none.json", "/behaviors/A.json"] {
                for method in ["PUT", "POST", "PATCH", "DELETE"] {
                    let refused = try await site.send(method, target, fields: fields, body: "[]")
                    #expect(refused.status == 405, "\(method) \(target)")
                    #expect(refused["Allow"] == "GET, HEAD, OPTIONS", "\(method) \(target)")
                }
                let options = try await site.send("OPTIONS", target)
                #expect(options["Allow"] == "GET, HEAD, OPTIONS")
            }
            let served = try await site.get("/behaviors/a.json")
            #expect(served.text == Self.first)
            let missing = try await site.get("/behaviors/none.json")
            #expect(missing.status == 404)
        }
    }

    @Test("a start makes no file; an environment that is none keeps a server from starting")
    func start() async throws {
        try await serving(server()) { site in
            let answer = try await site.get("/behaviors.json")
            #expect(answer.text == "[]")
        }
        #expect(!FileManager.default.fileExists(atPath: folder["data"]))
        let error = #expect(throws: StartError.self) { _ = try server(environment: "A b").start() }
        #expect(error?.description.contains("A b is no name of an environment") == true)
    }
}
