import HTTPTypes
import Testing

@testable import BehaviorClient

@Suite("A document's response")
struct DocumentResponseTests {
    private func response(
        _ code: Int,
        _ body: String = "",
        _ fields: HTTPFields = [:],
        sentTag: String? = "\"t\""
    ) throws(DocumentResponse.Failure) -> DocumentResponse {
        try DocumentResponse(
            HTTPResponse(status: .init(code: code), headerFields: fields),
            Array(body.utf8),
            sentTag: sentTag
        )
    }

    @Test("is a valid document with its tag, or no change")
    func usable() throws {
        guard case .document(let bytes, let tag) = try response(200, "[]", [.eTag: "\"x\""]) else {
            Issue.record("no document")
            return
        }
        #expect(bytes == Array("[]".utf8))
        #expect(tag == "\"x\"")
        guard case .unchanged = try response(304) else {
            Issue.record("a change")
            return
        }
    }

    @Test(
        "is a failure for anything else",
        arguments: [
            (200, "<html>"), (200, ""), (200, #"[{"name":1}]"#), (200, "[{\"name\":\"A\"}]"),
            (200, #"[{"name":"A","actions":[],"when":{"nope":1}}]"#), (204, ""), (206, "[]"),
            (301, ""), (404, ""), (500, "[]"), (200, String(repeating: " ", count: 1 << 21)),
        ]
    )
    func unusable(_ code: Int, _ body: String) {
        #expect(throws: DocumentResponse.Failure.self) { try response(code, body) }
    }

    @Test("is a failure for a 304 that nothing asked for")
    func unexpected() {
        #expect(throws: DocumentResponse.Failure.self) { try response(304, sentTag: nil) }
    }

    @Test(
        "has the server's delay, at most a day",
        arguments: [
            ("Sun, 27 Nov 2089 04:49:05 GMT", 86_400), ("7", 7), ("0", 0), ("999999", 86_400),
            ("-1", nil), ("1.5", nil), ("", nil),
            ("Fri, 27 Nov 2026 04:49:05 GMT", 0), ("99999999999999999999", nil),
        ]
    )
    func retryAfter(_ text: String, _ seconds: Int?) {
        do {
            _ = try response(503, "", [.retryAfter: text])
            Issue.record("a 503 is accepted")
        } catch {
            #expect(error.retryAfter == seconds.map { .seconds($0) })
        }
    }
}
