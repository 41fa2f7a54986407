import JSONCodec
import PlugHTTP
import Testing

@Suite("Rejected changes of behaviors")
struct BehaviorRefusalTests {
    private let place: BehaviorsPlace

    init() throws { place = try BehaviorsPlace() }

    private func json(_ answer: Answer) throws -> JSON { try JSON(parsing: answer.body) }

    @Test(
        "an invalid document is rejected with a pointer, and isn't stored",
        arguments: [
            ("", 422, "/document"), ("[", 400, "/0"), ("nul", 400, ""), ("\u{FEFF}[]", 400, ""),
            ("{}", 422, "/modules"), ("1", 422, ""), (#"[{"name":"A"}]"#, 422, "/0/actions"),
            (#"[{"name":"A","actions":[{"func":1}]}]"#, 422, "/0/actions/0/func"),
            (#"[{"name":"A","actions":[],"when":{"nope":[]}}]"#, 422, "/0/when/nope"),
            (#"[{"name":"A","actions":[],"when":{"rollout":"x"}}]"#, 422, "/0/when/rollout"),
            (#"[{"name":"A","actions":[tru]}]"#, 400, "/0/actions/0"),
            (String(repeating: "[", count: 100_000), 400, "/0/0/0"),
        ]
    )
    func invalid(text: String, status: Int, pointer: String) async throws {
        let fields = try await place.fields()
        try await serving(place.server()) { site in
            let put = try await site.send(
                "PUT",
                "/behaviors/default",
                fields: fields,
                body: text
            )
            #expect(put.status == status, "\(put.text)")
            #expect(put.mediaType == Problem.mediaType)
            let errors = try json(put)["errors"]?.array
            #expect(
                errors?.first?["pointer"]?.string?.hasPrefix(pointer) == true,
                "\(put.text)"
            )
            let history = try await site.send(
                "GET",
                "/behaviors/default/revisions",
                fields: fields
            )
            #expect(history.status == 404)
        }
    }

    @Test("a misspelled member is rejected, and nothing is published")
    func misspelled() async throws {
        let fields = try await place.fields(["admin", "behaviors:read", "behaviors:write"])
        let all = "unknown; "
        try await serving(place.server()) { site in
            let put = try await site.send(
                "PUT",
                "/behaviors/a?draft=true",
                fields: fields,
                body: BehaviorsPlace.first
            )
            #expect(put.status == 201)
            for (method, target, body, pointer, known) in [
                (
                    "PUT", "/behaviors/a?drafts=true", BehaviorsPlace.first, "/drafts",
                    "did you mean draft?"
                ),
                (
                    "PUT", "/behaviors/a?enviroment=staging", BehaviorsPlace.first, "/enviroment",
                    "did you mean environment?"
                ),
                (
                    "POST", "/behaviors/a/publish", #"{"revision":1,"enviroment":"staging"}"#,
                    "/enviroment", "did you mean environment?"
                ),
                (
                    "POST", "/behaviors/a/publish", #"{"revision":1,"message":"ship it"}"#,
                    "/message", "known here: environment, revision"
                ),
                (
                    "POST", "/behaviors/a/publish?enviroment=staging", #"{"revision":1}"#,
                    "/enviroment", "did you mean environment?"
                ),
                (
                    "POST", "/behaviors/a/publish?revision=1", "{}", "/revision",
                    "known here: environment"
                ),
                (
                    "POST", "/behaviors/a/promote", #"{"to":"staging","revision":1,"drafts":true}"#,
                    "/drafts", "did you mean draft?"
                ),
                (
                    "POST", "/behaviors/a/promote?drafts=true", #"{"to":"staging","revision":1}"#,
                    "/drafts", "did you mean draft?"
                ),
                (
                    "PUT", "/environments/production?approval=1", #"{"approvals":0}"#, "/approval",
                    "known here: create"
                ),
                (
                    "GET", "/behaviors?enviroment=staging", nil, "/enviroment",
                    "did you mean environment?"
                ),
                (
                    "DELETE", "/behaviors/a/overrides?enviroment=x", nil, "/enviroment",
                    "did you mean environment?"
                ),
            ] as [(String, String, String?, String, String)] {
                let answer = try await site.send(method, target, fields: fields, body: body)
                #expect(answer.status == 422, "\(method) \(target): \(answer.text)")
                #expect(
                    try json(answer)["errors"]
                        == [["pointer": .string(pointer), "detail": .string(all + known)]],
                    "\(method) \(target)"
                )
            }
            let served = try await site.get("/behaviors/a.json")
            #expect(served.status == 404)
            let staging = try await site.send(
                "GET",
                "/behaviors?environment=staging",
                fields: fields
            )
            #expect(staging.status == 404)
            // A browser sends forms for any page without asking first.
            let form = [fields[0], ("Content-Type", "application/x-www-form-urlencoded")]
            let published = try await site.send(
                "POST",
                "/behaviors/a/publish",
                fields: form,
                body: "revision=1"
            )
            #expect(published.status == 415, "\(published.text)")
            #expect(published["Accept"] == "application/json")
        }
    }

    @Test("invalid names, queries and media types are rejected")
    func attacks() async throws {
        let fields = try await place.fields()
        try await serving(place.server()) { site in
            for (method, target, body, status) in [
                ("PUT", "/behaviors/A", BehaviorsPlace.first, 400),
                ("PUT", "/behaviors/..%2F..%2Fetc", BehaviorsPlace.first, 400),
                ("PUT", "/behaviors/a%00", BehaviorsPlace.first, 400),
                (
                    "PUT", "/behaviors/" + String(repeating: "a", count: 64), BehaviorsPlace.first,
                    400
                ),
                ("PUT", "/behaviors/a?environment=..", BehaviorsPlace.first, 422),
                ("PUT", "/behaviors/a?draft=perhaps", BehaviorsPlace.first, 422),
                ("PUT", "/behaviors/a?message=%00", BehaviorsPlace.first, 400),
                (
                    "PUT", "/behaviors/a?message=" + String(repeating: "m", count: 1001),
                    BehaviorsPlace.first, 422
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
            let noName = "expected a lowercase letter or digit, then up to 62 of them or hyphens"
            for (method, target, body, pointer, status) in [
                ("PUT", "/behaviors/A_", BehaviorsPlace.first, "/name", 400),
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
                body: BehaviorsPlace.first
            )
            #expect(put.status == 422)
            let pointers = try json(put)["errors"]?.array?.map { $0["pointer"] }
            #expect(pointers == ["/document", "/name", "/ifMatch"])
            for (method, target, body, pointer) in [
                ("POST", "/behaviors/a/approve", #"{"revision":1,"name":"b"}"#, "/name"),
                ("POST", "/behaviors/a/rollback", #"{"revision":1,"name":"b"}"#, "/name"),
                ("POST", "/behaviors/a/publish", #"{"revision":1,"ifMatch":"*"}"#, "/ifMatch"),
                ("POST", "/behaviors/a/promote?draft=false", #"{"to":"b","draft":true}"#, "/draft"),
                ("GET", "/environments?x=1", nil, "/x"),
            ] as [(String, String, String?, String)] {
                let answer = try await site.send(method, target, fields: fields, body: body)
                #expect(answer.status == 422, "\(method) \(target): \(answer.text)")
                #expect(
                    try json(answer)["errors"]?.array?.map { $0["pointer"] } == [.string(pointer)]
                )
            }
            let served = try await site.get("/behaviors/a.json")
            #expect(served.status == 404)
            let form = [fields[0], ("Content-Type", "application/x-www-form-urlencoded")]
            let other = try await site.send(
                "PUT",
                "/behaviors/a",
                fields: form,
                body: BehaviorsPlace.first
            )
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

    @Test("each request requires its scope")
    func scopes() async throws {
        let reader = try await place.fields(["behaviors:read"])
        let writer = try await place.fields(["behaviors:write"])
        try await serving(place.server()) { site in
            for (method, target, body) in [
                ("PUT", "/behaviors/default", BehaviorsPlace.first),
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

    @Test("the path of a served document is read-only, even if an action's path matches it")
    func readOnly() async throws {
        let fields = try await place.fields()
        try await serving(place.server()) { site in
            let put = try await site.send(
                "PUT",
                "/behaviors/a",
                fields: fields,
                body: BehaviorsPlace.first
            )
            #expect(put.status == 201)
            for target in [
                "/behaviors/a.json", "/behaviors/none.json", "/behaviors/A.json",
                "/behaviors/%61%2ejson",
            ] {
                for method in ["PUT", "POST", "PATCH", "DELETE"] {
                    let refused = try await site.send(method, target, fields: fields, body: "[]")
                    #expect(refused.status == 405, "\(method) \(target)")
                    #expect(refused["Allow"] == "GET, HEAD, OPTIONS", "\(method) \(target)")
                }
                let options = try await site.send("OPTIONS", target)
                #expect(options["Allow"] == "GET, HEAD, OPTIONS")
            }
            // Each may be spelled otherwise (RFC 3986 §6.2.2.2).
            for target in ["/behaviors/a.json", "/behaviors/%61.json", "/%62ehaviors/a%2Ejson"] {
                #expect(try await site.get(target).text == BehaviorsPlace.first, "\(target)")
            }
            for target in ["/behaviors/none.json", "/%62ehaviors/none%2Ejson"] {
                #expect(try await site.get(target).status == 404, "\(target)")
                for method in ["POST", "OPTIONS"] {
                    let answer = try await site.send(method, target)
                    #expect(answer["Allow"] == "GET, HEAD, OPTIONS", "\(method) \(target)")
                }
            }
        }
    }
}
