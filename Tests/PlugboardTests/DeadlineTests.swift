import HTTPSyntax
import Locking
import Plug
import PlugHTTP
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
