import HTTPServer
import HTTPSyntax
import HTTPTypes
import Identity
import JSONCodec
import Locking
import Plug
import PlugHTTP
import PlugboardClient
import Storage
import Testing

@testable import Plugboard

private let log = Locked<[String: [Int]]>([:])

private class Add: Action<Add.Input, [Int]>, POST {
    struct Input: Codable, Sendable {
        var list: String
        var number: Int
    }
    static var path: String { "/lists/{list}" }
}
private class GetList: Action<GetList.Input, [Int]>, GET {
    struct Input: Codable, Sendable { var list: String }
    static var path: String { "/lists/{list}" }
}
private class Nothing: Action<Void, Void> {}
private class Own: Action<Void, String>, Scoped { static var scopes: Scopes { ["a"] } }
private class Keyed: Action<Void, String>, RequiresIdempotencyKey {}
private class Rare: Action<Void, String>, RateLimited {
    static var rateLimit: RateLimit { RateLimit(1, seconds: 3600) }
}
private class Picture: Action<Void, ResponseBody> {}
private class Upload: Action<RequestBody, Int> {}
private class Sell: Action<Sell.Input, String>, POST {
    struct Input: Codable, Sendable {
        var channel: String?
        var tags: [String]?
    }
    static var path: String { "/sales" }
    static var fields: [String: HTTPField.Name] {
        guard let channel = HTTPField.Name("Channel"), let tags = HTTPField.Name("Tags") else {
            return [:]
        }
        return ["channel": channel, "tags": tags]
    }
}
private class AddLater: Action<Add.Input, [Int]>, POST {
    static var path: String { "/later/{list}" }
    static let gate = Gate()
}

private struct Found: Codable, Sendable {
    var hits: [Int]
    var total: Int
}
private class Find: Action<Void, Found>, GET {
    static var path: String { "/find" }
    static var responseFields: [String: HTTPField.Name] {
        HTTPField.Name("X-Total-Count").map { ["total": $0] } ?? [:]
    }
    static var statuses: [HTTPResponse.Status] { [.accepted] }
}
private class Create: Action<Void, Found>, POST {
    static var path: String { "/found" }
    static func location(of output: Found) -> String? { "/found/\(output.total)" }
}

@Suite("Batches of actions")
struct BatchTests {
    init() {
        Add.self <~ { input async in
            log.withLock { log in
                log[input.list, default: []].append(input.number)
                return log[input.list] ?? []
            }
        }
        GetList.self <~ { input in log.withLock { $0[input.list] ?? [] } }
        Nothing.self <~ {}
        Find.self <~ { Found(hits: [1], total: 7) }
        Create.self <~ { Found(hits: [2], total: 8) }
        Own.self <~ { Caller.current?.name ?? "nobody" }
        Rare.self <~ { "rare" }
        Keyed.self <~ { "keyed" }
        Picture.self <~ { ResponseBody(bytes: [0x89], mediaType: "image/png") }
        Upload.self <~ { _ in 0 }
        Sell.self <~ { "\($0.channel ?? "nowhere") \($0.tags ?? [])" }
        AddLater.self <~ { input async in
            await AddLater.gate.pass()
            return log.withLock { log in
                log[input.list, default: []].append(input.number)
                return log[input.list] ?? []
            }
        }
    }

    private func server(_ folder: String? = nil) -> Server {
        var server = Server {
            Add.self
            GetList.self
            Nothing.self
            Find.self
            Create.self
            Rare.self
            Picture.self
            Upload.self
            Sell.self
            AddLater.self
            if folder != nil {
                Own.self
                Keyed.self
            }
        }
        server.configuration.dataFolder = folder
        return server
    }

    private func batch(
        _ site: Site,
        _ items: String,
        _ fields: [(String, String)] = []
    ) async throws -> [Batch.Answer] {
        let answer = try await site.post("/actions", "[\(items)]", fields)
        #expect(answer.status == 200)
        #expect(answer.mediaType == "application/json")
        return try JSON.decode([Batch.Answer].self, from: answer.body)
    }

    @Test("actions are performed in order, each with its own result")
    func order() async throws {
        try await serving(server()) { site in
            let answers = try await batch(
                site,
                """
                {"action":"Add","input":{"list":"order","number":1}},
                {"action":"Add","input":{"list":"order","number":"two"}},
                {"action":"Missing"},
                {"action":"Add","input":{"list":"order","number":3}},
                {"action":"GetList","input":{"list":"order"}},
                {"action":"Nothing"}
                """
            )
            #expect(answers.map(\.status) == [200, 422, 404, 200, 200, 204])
            #expect(answers[0].body == .array([1]))
            #expect(answers[1].problem?.errors?.map(\.pointer) == ["/number"])
            #expect(answers[1].body == nil)
            #expect(answers[2].problem?.status.code == 404)
            #expect(answers[4].body == .array([1, 3]))
            #expect(answers[5].body == nil)
        }
    }

    @Test("a result has the status and the fields of the action's response")
    func responseFields() async throws {
        let folder = try TemporaryFolder()
        try await serving(server(folder["data"])) { site in
            let answers = try await batch(
                site,
                #"{"action":"Find"},{"action":"Create"},{"action":"Own"},{"action":"GetList","input":{"list":"none"}}"#
            )
            #expect(answers.map(\.status) == [202, 201, 401, 200])
            #expect(answers[0].fields == ["X-Total-Count": "7"])
            #expect(answers[0].body == ["hits": [1]])
            #expect(answers[1].fields == ["Location": "/found/8"])
            #expect(answers[1].body == ["hits": [2], "total": 8])
            #expect(answers[2].fields == ["WWW-Authenticate": #"Bearer realm="plugboard""#])
            #expect(answers[3].fields == nil)
        }
    }

    @Test("each action's scopes are checked, and each action gets the caller")
    func scopes() async throws {
        let folder = try TemporaryFolder()
        let tokens = TokenStore(Storage.of(folder["data"]))
        let ada = try await tokens.create(name: "ada", scopes: ["a"]).text
        try await serving(server(folder["data"])) { site in
            let items = #"{"action":"Own"},{"action":"Nothing"},{"action":"ListTokens"}"#
            let nobody = try await batch(site, items)
            #expect(nobody.map(\.status) == [401, 204, 401])
            let known = try await batch(site, items, [("Authorization", "Bearer \(ada)")])
            #expect(known.map(\.status) == [200, 204, 403])
            #expect(known[0].body == .string("ada"))
        }
    }

    @Test("rate limits apply to each action")
    func limits() async throws {
        try await serving(server()) { site in
            let answers = try await batch(site, #"{"action":"Rare"},{"action":"Rare"}"#)
            #expect(answers.map(\.status) == [200, 429])
        }
    }

    @Test("an action without JSON input or output, and a batch, can't be in a batch")
    func unfit() async throws {
        try await serving(server()) { site in
            let items = #"{"action":"Picture"},{"action":"Upload"},{"action":"Batch","input":[]}"#
            let answers = try await batch(site, items)
            #expect(answers.map(\.status) == [406, 400, 404])
        }
    }

    @Test("a batch that is empty, too long or not a list is a 422")
    func bounds() async throws {
        var server = server()
        server.configuration.batchLimit = 2
        try await serving(server) { site in
            let item = #"{"action":"Nothing"}"#
            for items in ["", "\(item),\(item),\(item)"] {
                let refused = try await site.post("/actions", "[\(items)]")
                #expect(refused.status == 422)
            }
            let none = try await site.post("/actions", item)
            #expect(none.status == 422)
            let fits = try await batch(site, "\(item),\(item)")
            #expect(fits.count == 2)
        }
        server.configuration.batchLimit = nil
        try await serving(server) { site in
            let answer = try await site.post("/actions", "[]")
            #expect(answer.status == 404)
        }
    }

    @Test("an item beyond the output limit has no output, and later items aren't performed")
    func outputLimit() async throws {
        log.withLock { $0["limit"] = [] }
        var server = server()
        server.configuration.batchOutputLimit = 12
        try await serving(server) { site in
            let add = #"{"action":"Add","input":{"list":"limit","number":1000}}"#
            let answers = try await batch(site, [add, add, add, add].joined(separator: ","))
            #expect(answers.map(\.status) == [200, 406, 503, 503])
            #expect(answers[1].body == nil)
            #expect(answers[1].problem?.detail?.contains("limit of 12 bytes") == true)
            #expect(answers[2].problem?.detail?.hasPrefix("Not performed") == true)
            #expect(log.withLock { $0["limit"] } == [1000, 1000])
        }
    }

    @Test("an action that describes the server is rejected in a batch")
    func descriptions() async throws {
        try await serving(server()) { site in
            let items = #"{"action":"DescribeAPI"},{"action":"Nothing"}"#
            let answers = try await batch(site, items)
            #expect(answers.map(\.status) == [400, 204])
            #expect(
                answers[0].problem?.detail == "DescribeAPI describes the server. Call it alone."
            )
        }
    }

    @Test("members of header fields are read from an item's input, not from the batch's fields")
    func fields() async throws {
        try await serving(server()) { site in
            let answers = try await batch(
                site,
                """
                {"action":"Sell","input":{"channel":"app","tags":["a","b"]}}, {"action":"Sell"},
                {"action":"Sell","input":{"channel":1}}
                """,
                [("Channel", "web"), ("Tags", "c")]
            )
            #expect(answers.map(\.status) == [200, 200, 422])
            #expect(answers[0].body == .string(#"app ["a", "b"]"#))
            #expect(answers[1].body == .string("nowhere []"))
            #expect(answers[2].problem?.errors?.map(\.pointer) == ["/channel"])
        }
    }

    private let key = ("Idempotency-Key", "\"batch\"")

    @Test("a retried batch checks the caller of each item again")
    func replay() async throws {
        let folder = try TemporaryFolder()
        let tokens = TokenStore(Storage.of(folder["data"]))
        let ada = try await tokens.create(name: "ada", scopes: ["a"]).text
        let bob = try await tokens.create(name: "bob", scopes: ["a"]).text
        let eve = try await tokens.create(name: "eve", scopes: ["b"]).text
        let list = "replay"
        let items =
            #"{"action":"Own"}, {"action":"Add","input":{"list":"\#(list)","number":1}}"#
        try await serving(server(folder["data"])) { site in
            for _ in 0..<2 {
                for (count, (token, name)) in [(ada, "ada"), (bob, "bob")].enumerated() {
                    let fields = [key, ("Authorization", "Bearer \(token)")]
                    let answers = try await batch(site, items, fields)
                    #expect(answers[0].body == .string(name))
                    #expect(answers[1].body == .array((0...count).map { _ in 1 }))
                }
                let stranger = [key, ("Authorization", "Bearer \(eve)")]
                let refused = try await batch(site, items, stranger)
                #expect(refused.map(\.status) == [403, 200])
                let nobody = try await batch(site, items, [key])
                #expect(nobody.map(\.status) == [401, 200])
            }
        }
        // Each of the four once.
        #expect(log.withLock { $0[list] } == [1, 1, 1, 1])
    }

    @Test("each item has its own record for the key: a changed item is a 422")
    func otherItem() async throws {
        let folder = try TemporaryFolder()
        let list = "other"
        func add(_ numbers: Int...) -> String {
            numbers.map { #"{"action":"Add","input":{"list":"\#(list)","number":\#($0)}}"# }
                .joined(separator: ",")
        }
        try await serving(server(folder["data"])) { site in
            let same = try await batch(site, add(1, 1), [key])
            #expect(same.map(\.body) == [.array([1]), .array([1, 1])])
            let other = try await batch(site, add(1, 2, 3), [key])
            #expect(other.map(\.status) == [200, 422, 200])
            #expect(other[0].body == .array([1]))
            let alone = try await site.post("/lists/\(list)", #"{"number":4}"#, [key])
            #expect(alone.status == 200)
            let bad = try await site.post("/actions", "[\(add(5))]", [("Idempotency-Key", "5 6")])
            #expect(bad.status == 400)
        }
        #expect(log.withLock { $0[list] } == [1, 1, 3, 4])
    }

    @Test("a retry completes a batch that exceeded its deadline")
    func cut() async throws {
        let folder = try TemporaryFolder()
        let list = "cut"
        let items = """
            {"action":"Add","input":{"list":"\(list)","number":1}},
            {"action":"AddLater","input":{"list":"\(list)","number":2}},
            {"action":"Add","input":{"list":"\(list)","number":3}}
            """
        try await serving(server(folder["data"])) { site in
            let late = try await site.post(
                "/actions",
                "[\(items)]",
                [key, ("Request-Timeout", "0.2")]
            )
            #expect(late.status == 504)
            AddLater.gate.open()
            for _ in 0..<2 {
                let answers = try await batch(site, items, [key])
                #expect(answers.map(\.status) == [200, 200, 200])
                #expect(answers[2].body == .array([1, 2, 3]))
            }
        }
        #expect(log.withLock { $0[list] } == [1, 2, 3])
    }

    @Test("with a key each item of a batch is performed once")
    func once() async throws {
        let folder = try TemporaryFolder()
        try await serving(server(folder["data"])) { site in
            let bare = try await batch(site, #"{"action":"Keyed"}"#)
            #expect(bare.map(\.status) == [400])
            let keyed = try await batch(
                site,
                #"{"action":"Keyed"}"#,
                [("Idempotency-Key", "\"keyed\"")]
            )
            #expect(keyed.map(\.status) == [200])
            for _ in 0..<2 {
                let answers = try await batch(
                    site,
                    #"{"action":"Add","input":{"list":"once","number":1}}"#,
                    [("Idempotency-Key", "\"batch\"")]
                )
                #expect(answers[0].body == .array([1]))
            }
        }
    }

    @Test("the client sends a batch like any other action")
    func client() async throws {
        try await serving(server()) { site in
            let client = Client(site.url)
            let answers = try await client.send(Batch.self, [.init(action: "Nothing")])
            #expect(answers.map(\.status) == [204])
        }
    }
}
