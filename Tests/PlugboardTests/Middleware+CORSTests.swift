import Plug
import PlugHTTP
import Plugboard
import Testing

private class Hello: Action<Void, String>, GET { static var path: String { "/hello" } }

@Suite("Pages of other origins (Fetch Standard §3.2)", .serialized)
struct MiddlewareCORSTests {
    private func answer(
        _ method: String,
        _ fields: [(String, String)],
        credentials: Bool = false,
        origins: [String] = ["https://app.example"]
    ) async throws -> Plain {
        Hello.self <~ { "hello" }
        var server = Server(middleware: [.cors(credentials: credentials)]) { Hello.self }
        server.configuration.allowedOrigins = origins
        var result: Plain?
        try await serving(server) { site in
            result = Plain(try await site.send(method, "/hello", fields: fields))
        }
        return try #require(result)
    }

    private struct Plain {
        let answer: Answer
        init(_ answer: Answer) { self.answer = answer }
        subscript(name: String) -> String? { answer["Access-Control-Allow-" + name] }
    }

    private static let preflight = [("Access-Control-Request-Method", "POST")]

    @Test("a listed origin may read a response, and Vary separates it in caches")
    func listed() async throws {
        let answer = try await answer("GET", [("Origin", "https://app.example")])
        #expect(answer["Origin"] == "https://app.example")
        #expect(answer.answer["Vary"]?.lowercased() == "origin")
        #expect(answer.answer.text == "\"hello\"")
        #expect(answer.answer["Cross-Origin-Resource-Policy"] == "cross-origin")
    }

    @Test(
        "any other origin may not, even a similar one",
        arguments: [
            "https://app.example.evil", "http://app.example", "null", "https://APP.example",
            "https://app.example:8443", "",
        ]
    )
    func unlisted(origin: String) async throws {
        let plain = try await answer("GET", [("Origin", origin)])
        #expect(plain["Origin"] == nil)
        #expect(plain.answer["Cross-Origin-Resource-Policy"] == "same-origin")
        let preflight = try await answer("OPTIONS", [("Origin", origin)] + Self.preflight)
        #expect(preflight["Origin"] == nil)
        #expect(preflight["Methods"] == nil)
    }

    @Test("a preflight gets a response without a call of the action")
    func preflightAnswer() async throws {
        let fields = [("Origin", "https://app.example")] + Self.preflight
        let answer = try await answer("OPTIONS", fields)
        #expect(answer.answer.status == 204)
        #expect(answer["Methods"]?.contains("POST") == true)
        #expect(answer["Headers"]?.lowercased().contains("content-type") == true)
    }

    @Test("an OPTIONS that isn't a preflight lists the path's methods")
    func options() async throws {
        let answer = try await answer("OPTIONS", [("Origin", "https://app.example")])
        #expect(answer.answer["Allow"]?.contains("GET") == true)
    }

    @Test("credentials are never allowed for all origins")
    func credentials() async throws {
        let fields = [("Origin", "https://app.example")]
        let open = try await answer("GET", fields, origins: ["*"])
        #expect(open["Origin"] == "*")
        #expect(open["Credentials"] == nil)
        let both = try await answer("GET", fields, credentials: true, origins: ["*"])
        #expect(both["Origin"] == nil)
        let listed = try await answer("GET", fields, credentials: true)
        #expect(listed["Credentials"] == "true")
    }
}
