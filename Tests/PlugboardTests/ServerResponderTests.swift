import HTTPTypes
import JSONCodec
import Plug
import PlugHTTP
import Plugboard
import TestLog
import Testing

private class Order: Action<Order.Input, Order.Input>, POST {
    enum Size: String, Codable, CaseIterable { case small, large }
    struct Item: Codable, Sendable { var title: String; var count: UInt8? }
    struct Input: Codable, Sendable {
        var id: Int
        var user: String
        var size: Size?
        var items: [Item]?
    }
    static var path: String { "/orders/{id}" }
}
private class Page: Action<Page.Query, Int>, GET {
    struct Query: Codable, Sendable { var limit: Int; var deep: Bool? }
    static var path: String { "/pages" }
}
private class Fail: Action<Void, Int>, GET { static var path: String { "/fail" } }
private class Refuse: Action<Void, Int>, GET { static var path: String { "/refuse" } }
private class Convert: Action<Void, Int>, GET { static var path: String { "/convert" } }
private class Unmade: Action<Void, Int>, GET { static var path: String { "/unmade" } }
private class Infinite: Action<Void, Double>, GET { static var path: String { "/infinite" } }
private class Misread: Action<Void, Int>, GET { static var path: String { "/misread" } }
private class Plugged: Action<Void, String>, GET { static var path: String { "/plugged" } }
private class PluggedLate: Action<Void, Int>, POST { static var path: String { "/late" } }

private struct SecretError: Error { let password = "hunter2" }
private struct TeaError: ProblemConvertible {
    var problem: Problem { .conflict("the kettle is on") }
}

@Suite("Error responses")
struct ServerResponderTests {
    init() {
        Order.self <~ { $0 }
        Page.self <~ { $0.limit }
        Fail.self <~ { () throws -> Int in throw SecretError() }
        Refuse.self <~ { () throws -> Int in
            throw Problem(
                status: .init(code: 451),
                type: "https://example.org/sealed",
                detail: "it is sealed",
                members: ["until": .string("2061")]
            )
        }
        Convert.self <~ { () throws -> Int in throw TeaError() }
        Infinite.self <~ { .infinity }
        Misread.self <~ { () throws -> Int in try JSON.decode(Int.self, from: Array("oops".utf8)) }
    }

    @Test("a JSON error is a 400 with its line and column")
    func syntax() async throws {
        try await serving(Server { Order.self }) { site in
            let answer = try await site.post("/orders/7", "{\n  \"user\": oops\n}")
            #expect(answer.status == 400)
            #expect(answer.mediaType == "application/problem+json")
            #expect(answer.text.contains(#""detail":"line 2, column 11: expected a value""#))
            #expect(answer.text.contains(#""status":400"#))
            #expect(answer.text.contains(#""title":"Bad Request""#))
        }
    }

    @Test(
        "a member of the wrong type is a 422 that names it, without Swift's types",
        arguments: [
            (#"{"user":5}"#, "/user", "expected a string"),
            (#"{"user":null}"#, "/user", ""),
            ("{}", "/user", "missing"),
            (#"{"user":"a","size":"huge"}"#, "/size", "expected one of small, large"),
            (#"{"user":"a","size":7}"#, "/size", ""),
            (#"{"user":"a","items":[{"title":"b"},{"title":[]}]}"#, "/items/1/title", "a string"),
            (#"{"user":"a","items":[{}]}"#, "/items/0/title", "missing"),
            (#"{"user":"a","items":{}}"#, "/items", "expected an array"),
            (#"{"user":"a","items":[{"title":"b","count":256}]}"#, "/items/0/count", "0 to 255"),
            (#"{"user":"a","items":[{"title":"b","count":1.5}]}"#, "/items/0/count", "an integer"),
            ("[]", "", "expected an object"), ("7", "", "expected an object"),
        ]
    )
    func types(_ body: String, _ pointer: String, _ detail: String) async throws {
        try await serving(Server { Order.self }) { site in
            let answer = try await site.post("/orders/7", body)
            let problem = try JSON.decode(Problem.self, from: answer.body)
            #expect(answer.status == 422)
            #expect(problem.errors?.map(\.pointer) == [pointer])
            let told = try #require(problem.errors?.first?.detail)
            #expect(told.contains(detail) && !told.isEmpty)
            #expect(problem.detail == (pointer.isEmpty ? told : "\(pointer): \(told)"))
            for type in ["Int", "String", "Swift", "Size", "Item", "Input", "Coding", "Decod"] {
                #expect(!answer.text.contains(type))
            }
        }
    }

    @Test("a value of the wrong type in path or query is named, too")
    func texts() async throws {
        let server = Server {
            Order.self
            Page.self
        }
        try await serving(server) { site in
            let path = try await site.post("/orders/mir", #"{"user":"a"}"#)
            #expect(path.status == 400)
            #expect(path.text.contains("/id: expected an integer"))
            let query = try await site.get("/pages?limit=many")
            #expect(query.status == 422)
            #expect(query.text.contains("/limit: expected an integer"))
            #expect(try await site.get("/pages").text.contains("/limit: missing"))
            let flag = try await site.get("/pages?limit=1&deep=perhaps")
            #expect(flag.text.contains("/deep: expected true or false"))
            let twice = try await site.get("/pages?limit=1&limit=2")
            #expect(twice.status == 422)
            #expect(twice.text.contains("/limit: "))
            #expect(try await site.get("/pages?limit=%FF").status == 400)
        }
    }

    @Test("an unknown error is a 500 without a detail, and is logged")
    func unknownError() async throws {
        let journal = Journal()
        let server = Server(logger: journal.logger) { Fail.self }
        try await serving(server) { site in
            let answer = try await site.get("/fail")
            #expect(answer.status == 500)
            let problem = try JSON.decode(Problem.self, from: answer.body)
            #expect(problem == Problem(status: .internalServerError))
            #expect(!answer.text.contains("hunter2") && !answer.text.contains("Secret"))
        }
        #expect(journal.lines.contains { $0.hasPrefix("error: Fail failed") })
        #expect(journal.lines.contains { $0.contains("hunter2") })
    }

    @Test("an implementation's own decoding error is a 500, not the client's error")
    func misreading() async throws {
        try await serving(Server(logger: Journal().logger) { Misread.self }) { site in
            let answer = try await site.get("/misread")
            #expect(answer.status == 500)
            #expect(!answer.text.contains("line 1"))
        }
    }

    @Test("an output that JSON can't represent is a 500")
    func unencodable() async throws {
        try await serving(Server(logger: Journal().logger) { Infinite.self }) {
            (site) async throws in
            #expect(try await site.get("/infinite").status == 500)
        }
    }

    @Test("a problem that an action throws is the response")
    func problem() async throws {
        let journal = Journal()
        let server = Server(logger: journal.logger) {
            Refuse.self
            Convert.self
        }
        try await serving(server) { site in
            let answer = try await site.get("/refuse")
            #expect(answer.status == 451)
            #expect(answer.mediaType == "application/problem+json")
            let problem = try JSON.decode(Problem.self, from: answer.body)
            #expect(problem.type == "https://example.org/sealed")
            #expect(problem.detail == "it is sealed")
            #expect(problem.members["until"] == .string("2061"))
            let converted = try await site.get("/convert")
            #expect(converted.status == 409)
            #expect(converted.text.contains("the kettle is on"))
        }
        #expect(!journal.lines.contains { $0.hasPrefix("error") })
    }

    @Test("an implementation without perform is a 501")
    func notImplemented() async throws {
        Unmade.self <~ Unmade()
        try await serving(Server(logger: Journal().logger) { Unmade.self }) { site in
            let answer = try await site.get("/unmade")
            #expect(answer.status == 501)
            #expect(answer.text.contains("Unmade is not implemented"))
        }
    }

    @Test("another plug changes the next response, and unplugging makes it a 503")
    func replug() async throws {
        Plugged.self <~ { "one" }
        try await serving(Server(logger: Journal().logger) { Plugged.self }) { site in
            #expect(try await site.get("/plugged").text == #""one""#)
            Plugged.self <~ { "two" }
            #expect(try await site.get("/plugged").text == #""two""#)
            Actions.unplug(Plugged.self)
            let answer = try await site.get("/plugged")
            #expect(answer.status == 503)
            #expect(answer.text.contains("Plugged has no plug"))
            Plugged.self <~ { "three" }
            #expect(try await site.get("/plugged").text == #""three""#)
        }
    }

    @Test("a rejection by the head alone doesn't wait for the body")
    func earlyRefusal() async throws {
        PluggedLate.self <~ { 1 }
        try await serving(Server { PluggedLate.self }) { (site) async throws in
            func early(_ head: String) async throws -> Answer {
                let request = "\(head)\r\nHost: localhost\r\nContent-Length: 5\r\n"
                return try Answer(
                    await exchange(
                        request + "Content-Type: text/plain\r\n\r\n",
                        port: site.port
                    )
                )
            }
            #expect(try await early("POST /late HTTP/1.1").status == 415)
            #expect(try await early("POST /nowhere HTTP/1.1").status == 404)
            #expect(try await early("PUT /late HTTP/1.1").status == 405)
            #expect(try await early("BREW /late HTTP/1.1").status == 501)
        }
    }
}
