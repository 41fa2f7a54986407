import HTTPSyntax
import Testing

@testable import HTTPServer

@Suite("Default fields of responses")
struct DefaultFieldsTests {
    private func text(_ fields: ResponseFields) -> String {
        fields.withLines { String(decoding: $0, as: UTF8.self) }
    }

    @Test("each combination has the fields that the response lacks")
    func combinations() {
        let fields = DefaultFields(transportSecurity: 31_536_000)
        let sniffing = "X-Content-Type-Options: nosniff\r\n"
        let policy = "Cross-Origin-Resource-Policy: same-origin\r\n"
        let transport = "Strict-Transport-Security: max-age=31536000\r\n"
        #expect(text(fields[without: []]) == sniffing + policy + transport)
        #expect(text(fields[without: .transportSecurity]) == sniffing + policy)
        #expect(text(fields[without: [.contentTypeOptions, .resourcePolicy]]) == transport)
        #expect(text(fields[without: .resourcePolicy]) == sniffing + transport)
        let plain = DefaultFields(transportSecurity: nil)
        #expect(text(plain[without: []]) == sniffing + policy)
        #expect(text(DefaultFields()[without: []]).isEmpty)
    }

    @Test("HTTP/1.1 responses and protocol errors have the default fields")
    func responses() async throws {
        try await withServer(
            .any,
            { $0.defaultFields = DefaultFields(transportSecurity: 60) }
        ) { server in
            for request in [get("/a"), "GET / HTTP/1.1\r\n\r\n"] {
                let client = try server.client()
                try client.send(request)
                let answer = try client.answer()
                #expect(answer.field("X-Content-Type-Options") == "nosniff")
                #expect(answer.field("Cross-Origin-Resource-Policy") == "same-origin")
                // Browsers ignore it on a plain connection, and it must not be sent (RFC 6797 §7.2).
                #expect(answer.field("Strict-Transport-Security") == nil)
            }
        }
    }
}
