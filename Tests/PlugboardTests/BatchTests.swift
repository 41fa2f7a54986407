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
private class Keyed: Action<Void, String>, OncePerKey {}
private class Rare: Action<Void, String>, RateLimited {
    static var rateLimit: RateLimit { RateLimit(1, seconds: 3600) }
}
private class Picture: Action<Void, ResponseBody> {}
private class Upload: Action<RequestBody, Int> {}

@Suite("Several actions in one request")
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
        Own.self <~ { Caller.current?.name ?? "nobody" }
        Rare.self <~ { "rare" }
        Keyed.self <~ { "keyed" }
        Picture.self <~ { ResponseBody(bytes: [0x89], mediaType: "image/png") }
        Upload.self <~ { _ in 0 }
    }

    private func server(_ folder: String? = nil) -> Server {
        var server = Server {
            Add.self
            GetList.self
            Nothing.self
            Rare.self
            Picture.self
            Upload.self
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

    @Test("they are performed in order, and each answers for itself")
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

    @Test("scopes hold for each, and each knows its caller")
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

    @Test("limits hold for each")
    func limits() async throws {
        try await serving(server()) { site in
            let answers = try await batch(site, #"{"action":"Rare"},{"action":"Rare"}"#)
            #expect(answers.map(\.status) == [200, 429])
        }
    }

    @Test("an action that takes or gives no JSON has no place in one, nor has a batch")
    func unfit() async throws {
        try await serving(server()) { site in
            let items = #"{"action":"Picture"},{"action":"Upload"},{"action":"Batch","input":[]}"#
            let answers = try await batch(site, items)
            #expect(answers.map(\.status) == [406, 400, 404])
        }
    }

    @Test("one of no actions or too many, and what is no list, is 422")
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

    @Test("a key has the whole batch done once")
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

    @Test("the client sends one like any other action")
    func client() async throws {
        try await serving(server()) { site in
            let client = Client(site.url)
            let answers = try await client.send(Batch.self, [.init(action: "Nothing")])
            #expect(answers.map(\.status) == [204])
        }
    }
}
