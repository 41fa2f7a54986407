import HTTPSyntax
import HTTPTypes
import Locking
import Plug
import PlugHTTP
import PlugboardClient
import Testing

@testable import Plugboard

private class Wait: Action<Void, String>, GET {
    static var path: String { "/wait" }
    static let cancelled = Gate()
}
private class Later: Action<Void, String>, GET { static var path: String { "/later" } }
private class Stubborn: Action<Void, String>, GET {
    static var path: String { "/stubborn" }
    static let gate = Gate()
}
private class Quick: Action<Void, String>, GET { static var path: String { "/quick" } }
private class Remote: Action<Void, String>, GET { static var path: String { "/remote" } }

@Suite("Timeouts of actions")
struct DeadlineTests {
    init() {
        Quick.self <~ { "quick" }
        Later.self <~ { () async -> String in
            await Task.yield()
            return "done"
        }
        Wait.self <~ { () async throws -> String in
            defer { Wait.cancelled.open() }
            try await Task.sleep(for: .seconds(3600))
            return "never"
        }
        Stubborn.self <~ { () async -> String in
            await Task { await Stubborn.gate.pass() }.value
            return "late"
        }
    }

    private func server(actionTimeout: Int? = nil) -> Server {
        var server = Server {
            Wait.self
            Later.self
            Stubborn.self
            Quick.self
        }
        server.configuration.actionTimeout = actionTimeout
        return server
    }

    @Test("the calls of an action receive its remaining time, and end with it")
    func passedOn() async throws {
        func remote(actionTimeout: Int? = nil) -> Server {
            var server = Server { Remote.self }
            server.configuration.actionTimeout = actionTimeout
            return server
        }
        let field = try #require(HTTPField.Name("Request-Timeout"))
        let other = MockTransport { _, _ in try .json("there") }
        Remote.self <~ { () async throws -> String in
            try await Client("https://a.example", transport: other).send(Quick.self)
        }
        try await serving(remote()) { site in
            let limited = try await site.get("/remote", ("Request-Timeout", "30"))
            let unlimited = try await site.get("/remote")
            #expect(limited.status == 200 && unlimited.status == 200)
        }
        try await serving(remote(actionTimeout: 20)) { site in
            let answer = try await site.get("/remote")
            #expect(answer.status == 200)
        }
        let sent = other.requests.map { $0.request.headerFields[field].flatMap(Double.init) }
        #expect(sent.count == 3 && sent[1] == nil)
        #expect((sent[0] ?? 0) > 0 && (sent[0] ?? 31) <= 30)
        #expect((sent[2] ?? 0) > 0 && (sent[2] ?? 21) <= 20)
        let ended = Gate()
        let silent = MockTransport { _, _ in
            defer { ended.open() }
            try await Task.sleep(for: .seconds(3600))
            return .status(.ok)
        }
        Remote.self <~ { () async throws -> String in
            try await Client("https://a.example", transport: silent).send(Quick.self)
        }
        try await serving(remote()) { site in
            let answer = try await site.get("/remote", ("Request-Timeout", "0.05"))
            #expect(answer.status == 504)
            await ended.pass()
        }
    }

    @Test("a timeout is a 504, and the implementation's task is cancelled")
    func late() async throws {
        try await serving(server()) { site in
            let answer = try await site.get("/wait", ("Request-Timeout", "0.05"))
            #expect(answer.status == 504)
            #expect(answer.mediaType == "application/problem+json")
            await Wait.cancelled.pass()
        }
        try await serving(server(actionTimeout: 1)) { site in
            let answer = try await site.get("/wait")
            #expect(answer.status == 504)
            // No client gets more than the server allows.
            let more = try await site.get("/wait", ("Request-Timeout", "1000"))
            #expect(more.status == 504)
        }
    }

    @Test("the default is 30 seconds")
    func defaults() {
        #expect(Server.Configuration().actionTimeout == 30)
    }

    @Test("an implementation that ignores its cancellation doesn't delay the response")
    func stubborn() async throws {
        try await serving(server()) { site in
            let answer = try await site.get("/stubborn", ("Request-Timeout", "0.02"))
            #expect(answer.status == 504)
            Stubborn.gate.open()
        }
    }

    @Test("an action that ends in time returns its output, synchronous or async")
    func inTime() async throws {
        try await serving(server(actionTimeout: 3600)) { site in
            for fields in [[], [("Request-Timeout", "600")]] {
                let later = try await site.send("GET", "/later", fields: fields)
                #expect(later.text == #""done""#)
                let now = try await site.send("GET", "/quick", fields: fields)
                #expect(now.text == #""quick""#)
            }
        }
    }

    @Test(
        "an invalid Request-Timeout is a 400",
        arguments: [
            "", "0", "0.000", "-1", "5s", "1e3", "1.2345", ".5", "5.", "1, 2", "9999999999999",
        ]
    )
    func nonsense(_ value: String) async throws {
        try await serving(server()) { site in
            let answer = try await site.get("/quick", ("Request-Timeout", value))
            #expect(answer.status == 400)
        }
    }

    @Test("parameters are ignored (RFC 9651 §3.3)")
    func parameters() async throws {
        try await serving(server()) { site in
            let answer = try await site.get("/quick", ("Request-Timeout", "600; a=\"b\""))
            #expect(answer.text == #""quick""#)
        }
    }

    @Test("a repeated Request-Timeout is a 400")
    func twice() async throws {
        try await serving(server()) { site in
            let one = ("Request-Timeout", "1")
            let answer = try await site.get("/quick", one, one)
            #expect(answer.status == 400)
        }
    }

    @Test("seconds are read to the millisecond (RFC 9651 §3.3.2)")
    func seconds() {
        func read(_ text: String) -> Int? {
            Array(text.utf8).withUnsafeBufferPointer(Deadline.milliseconds)
        }
        #expect(read("5") == 5000)
        #expect(read("0.5") == 500)
        #expect(read("2.25") == 2250)
        #expect(read("0.001") == 1)
        #expect(read("999999999999.999") == 999_999_999_999_999)
    }
}
