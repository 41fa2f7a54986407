import Plug
import PlugHTTP
import Plugboard
import Testing

private class Leak: Action<Leak.Reason, String>, GET {
    struct Reason: Codable, Sendable { var text: String }
    static var path: String { "/leak" }
}
private struct Failed: Error, CustomStringConvertible, CustomDebugStringConvertible {
    let description: String
    let debugDescription: String
}

@Suite("Errors in spans, without the secrets of tokens", .serialized)
struct MaskedErrorTests {
    private static let token = "plug_000000000000_" + String(repeating: "a", count: 64)

    @Test(
        "a secret in the error's text or in its debug text isn't recorded",
        arguments: [
            ("no \(token) here", "", "no plug_000000000000_*** here"),
            ("no token", "of \(token)", "no token"), ("no token", "", "no token"),
        ]
    )
    func masked(text: String, debugText: String, recorded: String) async throws {
        Leak.self <~ { _ in throw Failed(description: text, debugDescription: debugText) }
        let tracer = TestTracer()
        var server = Server { Leak.self }
        server.configuration.tracer = tracer
        try await serving(server) { site in
            let response = try await site.get("/leak?text=a")
            #expect(response.status == 500)
        }
        let span = try #require(tracer.spans.first)
        #expect(span.errors == [recorded])
    }
}
