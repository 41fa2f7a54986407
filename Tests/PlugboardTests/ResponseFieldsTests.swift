import JSONCodec
import Plug
import PlugHTTP
import Plugboard
import PlugboardClient
import Testing

private struct Found: Codable, Sendable, Equatable {
    var hits: [String]
    var total: Int
    var region: String?
}
private class Search: Action<Search.Query, Found>, GET {
    struct Query: Codable, Sendable { var q: String }
    static var path: String { "/search" }
    static var responseFields: [String: HTTPField.Name] {
        ["total": .init("X-Total-Count") ?? .from, "region": .init("X-Region") ?? .from]
    }
}
private class Enqueue: Action<String, Int>, POST {
    static var path: String { "/jobs" }
    static var statuses: [HTTPResponse.Status] { [.accepted, .ok] }
    static func status(of job: Int) -> HTTPResponse.Status { job > 1 ? .accepted : .ok }
}
private class Forget: Action<Void, Void>, POST {
    static var path: String { "/forget" }
    static var statuses: [HTTPResponse.Status] { [.accepted] }
}
private class List: Action<List.Query, Page<String>>, GET {
    struct Query: Codable, Sendable { var cursor: String?; var limit: Int?; var tag: String? }
    static var path: String { "/list" }
}
private class Lost: Action<Search.Query, Found>, GET {
    static var path: String { "/lost" }
    static var responseFields: [String: HTTPField.Name] { ["totl": .from, "hits": .host ?? .from] }
}
private class Endless: Action<Search.Query, Page<Int>>, GET {
    static var path: String { "/endless" }
    static var statuses: [HTTPResponse.Status] { [.noContent, .notFound] }
}
extension HTTPField.Name { fileprivate static var host: Self? { .init("X-Host") } }

@Suite("Fields and statuses of responses")
struct ResponseFieldsTests {
    init() {
        Search.self <~ { Found(hits: [$0.q], total: 7, region: $0.q == "a" ? "eu, lv" : nil) }
        Enqueue.self <~ { $0.count }
        Forget.self <~ {}
        List.self <~ { query in
            let all = ["a", "b", "c", "d/é"]
            let rest = all.filter { $0 > query.cursor ?? "" }
            return Page(rest, limit: query.limit ?? 2, total: all.count) { $0 }
        }
        Lost.self <~ { _ in Found(hits: [], total: 0) }
        Endless.self <~ { _ in Page([]) }
    }

    private let server = Server {
        Search.self
        Enqueue.self
        Forget.self
        List.self
    }

    @Test("an output's members are sent in fields, and the client decodes them from there")
    func fields() async throws {
        try await serving(server) { (site) async throws in
            let answer = try await site.get("/search?q=a")
            #expect(answer.text == #"{"hits":["a"]}"#)
            #expect(answer["X-Total-Count"] == "7")
            #expect(answer["X-Region"] == "eu, lv")
            #expect(try await site.get("/search?q=b")["X-Region"] == nil)
            let client = Client(site.url)
            let found = try await client.send(Search.self, .init(q: "a"))
            #expect(found == Found(hits: ["a"], total: 7, region: "eu, lv"))
            let response = try await client.response(of: Search.self, .init(q: "b"))
            #expect(response.output == Found(hits: ["b"], total: 7))
            #expect(response.status == .ok)
            #expect(response.fields[.contentType] == "application/json")
        }
    }

    @Test("an output has its status, which the client can read")
    func statuses() async throws {
        try await serving(server) { (site) async throws in
            #expect(try await site.post("/jobs", #""ab""#).status == 202)
            #expect(try await site.post("/jobs", #""a""#).status == 200)
            #expect(try await site.send("POST", "/forget").status == 202)
            let client = Client(site.url)
            #expect(try await client.response(of: Enqueue.self, "ab").status == .accepted)
            try await client.send(Forget.self)
        }
    }

    @Test("a page has a link to the next one with the other parameters (RFC 8288 §3.3)")
    func pages() async throws {
        try await serving(server) { (site) async throws in
            let first = try await site.get("/list?tag=x%20y")
            #expect(first.text == #"{"items":["a","b"],"next":"b","total":4}"#)
            #expect(first["Link"] == #"<?tag=x%20y&cursor=b>; rel="next""#)
            let last = try await site.get("/list?cursor=b&limit=9")
            #expect(last.text == #"{"items":["c","d/é"],"total":4}"#)
            #expect(last["Link"] == nil)
            let client = Client(site.url)
            var input = List.Query(limit: 1)
            var all: [String] = []
            repeat {
                let page = try await client.send(List.self, input)
                all += page.items
                input.cursor = page.next
            } while input.cursor != nil
            #expect(all == ["a", "b", "c", "d/é"])
        }
    }

    @Test("a page has at most its limit of items, and a cursor only if more items follow")
    func limits() {
        #expect(Page([1, 2, 3], limit: 2) { "\($0)" } == Page([1, 2], next: "2"))
        #expect(Page([1, 2], limit: 2) { "\($0)" } == Page([1, 2]))
        #expect(Page([1], limit: 0) { "\($0)" } == Page([]))
        #expect(Page([1], limit: -1) { "\($0)" } == Page([]))
        #expect(Page([1], limit: .max) { "\($0)" } == Page([1]))
    }

    @Test("the API description has them")
    func description() {
        @ActionsBuilder var actions: [ExposedAction] {
            Search.self
            Enqueue.self
            Forget.self
            List.self
        }
        let paths = OpenAPI.document(of: actions, hasBehaviors: false)["paths"]
        func successes(_ path: String, _ method: String) -> JSON.Object {
            let all = paths?[path]?[method]?["responses"]?.object ?? JSON.Object()
            return JSON.Object(all.filter { $0.0.hasPrefix("2") }.map { ($0.0, $0.1) })
        }
        let search = successes("/search", "get")["200"]
        let headers = search?["headers"]
        #expect(headers?["X-Total-Count"]?["required"] == true)
        #expect(headers?["X-Total-Count"]?["schema"]?["type"] == "integer")
        #expect(headers?["X-Region"]?["schema"] == ["type": "string"])
        #expect(headers?["X-Region"]?["required"] == nil)
        let body = search?["content"]?["application/json"]?["schema"]
        #expect(body?["properties"]?.object?.names == ["hits"])
        #expect(successes("/jobs", "post").names.sorted() == ["200", "202"])
        #expect(successes("/forget", "post").names == ["202"])
        #expect(successes("/list", "get")["200"]?["headers"]?["Link"] != nil)
    }

    @Test("invalid fields, statuses and pages of an output are start-up errors")
    func startErrors() async throws {
        let error = await #expect(throws: StartError.self) {
            try await serving(
                Server {
                    Lost.self
                    Endless.self
                }
            ) { _ in }
        }
        #expect(
            error?.problems == [
                "Lost sends hits in X-Host, but it isn't a text, number or Boolean",
                "Lost sends totl in From, but its output has no such member",
                "Endless has the status 204, which its output can't have",
                "Endless has the status 404, which its output can't have",
                "Endless returns a Page, but its query has no member cursor. Add `var cursor: "
                    + "String?`",
            ]
        )
    }
}
