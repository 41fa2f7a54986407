import HTTPTypes
import JSONCodec
import Plug
import PlugHTTP
import Plugboard
import Testing

private struct Thing: Codable, Sendable { var id: Int; var title: String? }
private struct OnlyOut: Encodable, Sendable { var id: Int }

private class Search: Action<Search.Query, [Thing]>, GET {
    enum Order: String, Codable, Sendable, CaseIterable { case newest, oldest }
    struct Near: Codable, Sendable { var city: String }
    struct Query: Codable, Sendable, Constrained {
        var order: Order?
        var tag: [String]
        var near: Near?
        var limit: Int
        var old: Int?
        static var constraints: Constraints {
            ["limit": [.default(20), .description("how many")], "old": [.deprecated]]
        }
    }
    static var path: String { "/things" }
    static var summary: String? { "Finds things" }
    static var description: String? { "All of *them*." }
}
private class Change: Action<Change.Input, Thing>, PUT {
    struct Input: Codable, Sendable { var id: String; var title: String; var key: String? }
    static var path: String { "/things/{id}" }
    static var fields: [String: HTTPField.Name] { ["key": .ifMatch] }
}
private struct Gone: DeclaredProblem {
    static let status = HTTPResponse.Status.gone
    static let type = "https://example.com/gone"
    static let title = "Gone"
}
private class Drop: Action<Drop.Input, Void>, DELETE, Scoped {
    struct Input: Codable, Sendable { var id: String }
    static var path: String { "/things/{id}" }
    static var scopes: Scopes { ["things:write"] }
    static var problems: [any DeclaredProblem.Type] { [Gone.self] }
}
private class Pay: Action<Int, Int>, POST, RequiresIdempotencyKey, RateLimited, Deprecated {
    static var path: String { "/pay" }
    static var rateLimit: RateLimit { .perMinute(5) }
    static var deprecation: Deprecation {
        Deprecation(since: "2026-11-01", sunset: "2027-05-01", link: "https://example.org/")
    }
}
private class Upload: Action<RequestBody, OnlyOut>, POST {
    static var path: String { "/upload" }
}
private class Watch: Action<Void, AsyncStream<Thing>>, GET {
    static var path: String { "/watch" }
}
private class Sum: Action<[Int], Int> {}
private class Status: Action<Void, String>, GET { static var path: String { "/server/status" } }
private class Table: Action<Void, ResponseBody>, GET {
    static var path: String { "/table" }
    static var mediaType: String? { "text/csv" }
}
private class Picture: Action<Void, ResponseBody>, GET { static var path: String { "/picture" } }
private class Register: Action<Register.Input, Void>, POST {
    struct Place: Codable, Sendable { var city: String }
    struct Input: Codable, Sendable {
        var name: String
        var tags: [String]
        var near: Place?
        var note: String?
        var visits: [Place]?
    }
    static var path: String { "/register" }
}
private class Order: Action<Order.Input, Void>, POST {
    struct Input: Codable, Sendable { var lines: [Register.Place] }
    static var path: String { "/order" }
}

@Suite("The description of an API (OpenAPI 3.1)")
struct OpenAPITests {
    private var api: JSON {
        @ActionsBuilder var actions: [ExposedAction] {
            Search.self
            Change.self
            Drop.self
            Upload.self
            Watch.self
            Sum.self
            Pay.self
        }
        return OpenAPI.document(
            of: actions,
            info: APIInfo(title: "Things", version: "7"),
            hasBehaviors: true
        )
    }

    @Test("has the name and the documentation of each route's action")
    func operations() {
        let api = api
        #expect(api["info"] == ["title": "Things", "version": "7"])
        #expect(
            api["paths"]?.object?.names == [
                "/things", "/things/{id}", "/upload", "/watch", "/actions/Sum", "/pay",
                "/behaviors.json",
            ]
        )
        let search = api["paths"]?["/things"]?["get"]
        #expect(search?["operationId"] == "Search")
        #expect(search?["summary"] == "Finds things")
        #expect(search?["description"] == "All of *them*.")
        #expect(api["paths"]?["/things/{id}"]?.object?.names == ["put", "delete"])
    }

    @Test("has the tag Plugboard at the operations of the server, whatever their paths")
    func tags() throws {
        let folder = try TemporaryFolder()
        var server = Server { Status.self }
        server.configuration.dataFolder = folder["data"]
        let paths = try server.description()["paths"]
        #expect(paths?["/server/status"]?["get"]?["tags"] == nil)
        let own: JSON = ["Plugboard"]
        for path in ["/server", "/plugs", "/plugs/events", "/behaviors/{name}.json"] {
            #expect(try #require(paths?[path]?["get"], "\(path)")["tags"] == own, "\(path)")
        }
    }

    @Test("has the context, the credentials and the cache fields of documents")
    func behaviors() throws {
        func document(hasNamed: Bool, security: OpenAPI.Security = .init()) -> JSON? {
            OpenAPI.document(
                of: [],
                hasBehaviors: true,
                hasNamedBehaviors: hasNamed,
                security: security
            )["paths"]
        }
        let paths = document(hasNamed: true)
        #expect(paths?.object?.names == ["/behaviors.json", "/behaviors/{name}.json"])
        for (path, first) in [("/behaviors.json", "context"), ("/behaviors/{name}.json", "name")] {
            let get = try #require(paths?[path]?["get"])
            let parameters = try #require(get["parameters"]?.array)
            #expect(parameters.first?["name"]?.string == first)
            #expect(
                parameters.suffix(3).map { $0["name"] } == [
                    "context", "Plugboard-Context", "If-None-Match",
                ]
            )
            let query = parameters[parameters.count - 3]
            #expect(query["in"] == "query" && query["style"] == "form" && query["explode"] == true)
            #expect(query["schema"] == ["type": "object"])
            let field = parameters[parameters.count - 2]
            #expect(field["in"] == "header")
            #expect(field["content"]?["application/json"]?["schema"] == ["type": "object"])
            let responses = try #require(get["responses"])
            let missing = first == "name" ? ["404"] : []
            #expect(
                responses.object?.names
                    == ["200", "304", "400", "401"] + missing + ["412", "default"]
            )
            let fields = ["ETag", "Cache-Control", "Vary"]
            #expect(responses["304"]?["headers"]?.object?.names == fields)
            #expect(responses["200"]?["headers"]?.object?.names == fields + ["Last-Modified"])
            #expect(responses["304"]?["content"] == nil)
            #expect(get["security"] == [["token": []], [:]])
        }
        // Where nobody is known, nobody can show a wrong token.
        let unknown = document(hasNamed: false, security: .init(takesTokens: false))
        #expect(unknown?.object?.names == ["/behaviors.json"])
        let get = unknown?["/behaviors.json"]?["get"]
        #expect(get?["security"] == nil && get?["responses"]?["401"] == nil)
    }

    @Test("has a parameter for each member in the path, the query and the fields")
    func parameters() throws {
        let search = api["paths"]?["/things"]?["get"]?["parameters"]
        let timeout = try #require(search?.array?.last)
        #expect(timeout["name"] == "Request-Timeout")
        #expect(search?.array?.dropLast().last?["name"] == "If-None-Match")
        #expect(
            search?.array?.dropLast(2) == [
                [
                    "name": "order", "in": "query", "allowEmptyValue": true,
                    "schema": ["$ref": "#/components/schemas/Search.Order"],
                ],
                [
                    "name": "tag", "in": "query",
                    "schema": ["type": "array", "items": ["type": "string"]],
                ],
                [
                    "name": "near", "in": "query", "style": "deepObject", "explode": true,
                    "schema": ["$ref": "#/components/schemas/Search.Near"],
                ],
                [
                    "name": "limit", "in": "query", "description": "how many",
                    "allowEmptyValue": true,
                    "schema": [
                        "type": "integer", "format": "int64", "minimum": .number(.init(Int.min)),
                        "maximum": .number(.init(Int.max)), "default": 20,
                    ],
                ],
                [
                    "name": "old", "in": "query", "deprecated": true, "allowEmptyValue": true,
                    "schema": [
                        "type": "integer", "format": "int64", "minimum": .number(.init(Int.min)),
                        "maximum": .number(.init(Int.max)),
                    ],
                ],
            ]
        )
        let change = api["paths"]?["/things/{id}"]?["put"]
        #expect(
            change?["parameters"]?.array == [
                [
                    "name": "id", "in": "path", "required": true,
                    "schema": ["type": "string", "minLength": 1],
                ],
                [
                    "name": "If-Match", "in": "header", "schema": ["type": "string"],
                    "x-plugboard-member": "key",
                ],
                timeout,
            ]
        )
        let body = change?["requestBody"]
        #expect(body?["required"] == true)
        let schema: JSON = [
            "type": "object", "properties": ["title": ["type": "string"]], "required": ["title"],
            "additionalProperties": false,
        ]
        #expect(body?["content"]?["application/json"]?["schema"] == schema)
    }

    @Test("has the responses of each kind of output, and its errors as problems")
    func responses() {
        let paths = api["paths"]
        let drop = paths?["/things/{id}"]?["delete"]
        #expect(drop?["responses"]?["204"] != nil)
        #expect(drop?["responses"]?["410"]?["description"] == "Gone (`https://example.com/gone`).")
        #expect(drop?["security"] == [["token": ["things:write"]]])
        #expect(
            drop?["responses"]?.object?.names == [
                "204", "400", "401", "403", "410", "422", "504", "default",
            ]
        )
        let upload = paths?["/upload"]?["post"]
        #expect(
            upload?["requestBody"]?["content"]?["application/octet-stream"]?["schema"]
                == ["type": "string", "format": "binary"]
        )
        #expect(upload?["responses"]?["201"]?["headers"]?["Location"] != nil)
        #expect(upload?["responses"]?["200"]?["content"] == ["application/json": ["schema": [:]]])
        let watch = paths?["/watch"]?["get"]?["responses"]?["200"]?["content"]
        #expect(
            watch?["text/event-stream"]?["schema"]?["contentSchema"]
                == ["$ref": "#/components/schemas/Thing"]
        )
        let sum = paths?["/actions/Sum"]?["post"]
        #expect(
            sum?["requestBody"]?["content"]?["application/json"]?["schema"]?["type"] == "array"
        )
        #expect(sum?["responses"]?["201"] == nil)
        // What a PUT sets may not have been there (RFC 9110 §9.3.4).
        let change = paths?["/things/{id}"]?["put"]?["responses"]
        #expect(change?["201"]?["content"] == change?["200"]?["content"])
        #expect(change?["201"]?["headers"]?["Location"] != nil)
        #expect(
            sum?["responses"]?["422"]?["content"]?["application/problem+json"]?["schema"]
                == ["$ref": "#/components/schemas/Problem"]
        )
    }

    @Test("has a form beside a JSON body if a form can have its members (WHATWG URL §5)")
    func forms() {
        @ActionsBuilder var actions: [ExposedAction] {
            Register.self
            Order.self
        }
        let paths = OpenAPI.document(of: actions, hasBehaviors: false)["paths"]
        let bodies = paths?["/register"]?["post"]?["requestBody"]?["content"]
        #expect(
            bodies?.object?.names == ["application/json", "application/x-www-form-urlencoded"]
        )
        let text: JSON = ["type": "string"]
        let schema: JSON = [
            "type": "object",
            "properties": [
                "name": text, "tags": ["type": "array", "items": text],
                "near": ["$ref": "#/components/schemas/Register.Place"], "note": text,
            ],
            "required": ["name"], "additionalProperties": false,
        ]
        let form = bodies?["application/x-www-form-urlencoded"]
        #expect(form?["schema"] == schema)
        #expect(form?["encoding"] == ["near": ["style": "deepObject", "explode": true]])
        // A list of objects has to be there, and no form has one.
        let order = paths?["/order"]?["post"]?["requestBody"]?["content"]
        #expect(order?.object?.names == ["application/json"])
    }

    @Test("has the media type of a response's bytes if it is known")
    func mediaTypes() {
        @ActionsBuilder var actions: [ExposedAction] {
            Table.self
            Picture.self
        }
        let paths = OpenAPI.document(of: actions, hasBehaviors: false)["paths"]
        func content(_ path: String) -> JSON? {
            paths?[path]?["get"]?["responses"]?["200"]?["content"]
        }
        #expect(content("/table") == ["text/csv": ["schema": ["type": "string"]]])
        #expect(content("/picture") == ["*/*": [:]])
    }

    @Test("has an action's deprecation, idempotency key and rate limit")
    func declared() {
        let pay = api["paths"]?["/pay"]?["post"]
        #expect(pay?["deprecated"] == true)
        #expect(pay?["description"]?.string?.contains("from 2027-05-01 on") == true)
        #expect(pay?["parameters"]?[0]?["name"] == "Idempotency-Key")
        #expect(pay?["parameters"]?[0]?["required"] == true)
        #expect(pay?["responses"]?["429"] != nil)
    }

    @Test("is served with an ETag, beside an HTML page")
    func served() async throws {
        Sum.self <~ { $0.reduce(0, +) }
        var server = Server { Sum.self }
        server.api = APIInfo(title: "Sums")
        try await serving(server) { site in
            let answer = try await site.get("/openapi.json")
            #expect(answer.status == 200)
            #expect(answer.mediaType == "application/json")
            let api = try JSON(parsing: answer.body)
            #expect(api["info"]?["title"] == "Sums")
            #expect(api["paths"]?.object?.names == ["/actions/Sum"])
            let tag = try #require(answer["ETag"])
            let known = try await site.get("/openapi.json", ("If-None-Match", tag))
            #expect(known.status == 304)
            // RFC 9110 §15.4.5: with the fields of the 200 that caches go by.
            #expect(known["Cache-Control"] == answer["Cache-Control"])
            #expect(known["ETag"] == tag && !tag.hasPrefix("W/"))
            // §13.1.3, §13.1.4: a document without a date heeds no condition about one.
            for (name, date) in [
                ("If-Modified-Since", "Fri, 01 Jan 2100 00:00:00 GMT"),
                ("If-Unmodified-Since", "Thu, 01 Jan 1970 00:00:00 GMT"),
            ] {
                #expect(try await site.get("/openapi.json", (name, date)).status == 200)
            }
            for (tags, status) in [(tag, 200), ("W/" + tag, 412), ("\"x\"", 412), ("*", 200)] {
                let matched = try await site.get("/openapi.json", ("If-Match", tags))
                #expect(matched.status == status, "If-Match: \(tags)")
            }
            let page = try await site.get("/docs")
            #expect(page.mediaType == "text/html; charset=utf-8")
            #expect(page["Content-Security-Policy"]?.contains("script-src 'sha256-") == true)
        }
    }

    @Test(
        "both pages are gzip-coded, with a tag for each coding (RFC 9110 §8.8.3.3, §12.5.3)",
        arguments: ["/openapi.json", "/docs"]
    )
    func coded(_ path: String) async throws {
        Sum.self <~ { $0.reduce(0, +) }
        var server = Server { Sum.self }
        // They are kept: they don't cost anything each time.
        server.configuration.compressionThreshold = nil
        try await serving(server) { site in
            let plain = try await site.get(path)
            let gzip = ("Accept-Encoding", "deflate;q=1, gzip;q=0.5")
            let coded = try await site.get(path, gzip)
            #expect(plain["Content-Encoding"] == nil && coded["Content-Encoding"] == "gzip")
            #expect(coded.body.count < plain.body.count / 2)
            #expect(try coded.content == plain.text)
            let tag = try #require(plain["ETag"])
            let codedTag = try #require(coded["ETag"])
            #expect(codedTag == tag.dropLast() + "-gzip\"")
            for name in [
                "Content-Type", "Cache-Control", "Content-Security-Policy", "Referrer-Policy",
                "X-Content-Type-Options",
            ] {
                #expect(coded[name] == plain[name], "\(name)")
            }
            for (accept, own, other) in [
                (gzip, codedTag, tag), (("Accept-Encoding", "gzip;q=0, *"), tag, codedTag),
            ] {
                let full = try await site.get(path, accept)
                #expect(full["ETag"] == own)
                #expect(full["Vary"] == "Accept-Encoding")
                let head = try await site.send("HEAD", path, fields: [accept])
                #expect(head["Content-Length"] == "\(full.body.count)")
                #expect(head["ETag"] == own && head.body.isEmpty)
                let known = try await site.get(path, accept, ("If-None-Match", own))
                #expect(known.status == 304 && known.body.isEmpty)
                // RFC 9110 §15.4.5.
                #expect(known["ETag"] == own && known["Vary"] == "Accept-Encoding")
                #expect(known["Content-Encoding"] == nil && known["Content-Type"] == nil)
                // Each names one run of bytes: the other one's bytes aren't what this client gets.
                let unknown = try await site.get(path, accept, ("If-None-Match", other))
                #expect(unknown.status == 200)
                let unmet = try await site.get(path, accept, ("If-Match", other))
                #expect(unmet.status == 412)
                let met = try await site.get(path, accept, ("If-Match", own))
                #expect(met.status == 200)
                let any = try await site.get(path, accept, ("If-None-Match", "*"))
                #expect(any.status == 304)
            }
        }
    }
}
