import GuardedBytes
import Testing

@testable import HTTPSyntax

@Suite("Content-Encoding of a request (RFC 9110 §8.4)")
struct ContentEncodingTests {
    private func coding(_ lines: [String]) throws -> ContentEncoding {
        let fields = lines.map { "Content-Encoding: \($0)\r\n" }.joined()
        let head = Array("POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n".utf8)
        return try GuardedBytes.with(head) { bytes in
            let parser = RequestParser()
            try #require(parser.parse(bytes) == .complete)
            return ContentEncoding(parser.head)
        }
    }

    @Test(
        "a missing field and identity mean no coding",
        arguments: [[], [""], ["identity"], ["Identity"], [",,"], ["identity", "identity"]]
    )
    func identity(lines: [String]) throws {
        #expect(try coding(lines) == .identity)
    }

    @Test(
        "gzip is recognized by both names, in any case (§8.4.1.3)",
        arguments: [["gzip"], ["x-gzip"], ["GZIP"], ["X-Gzip"], ["identity, gzip"], ["", "gzip"]]
    )
    func gzip(lines: [String]) throws {
        #expect(try coding(lines) == .gzip)
    }

    @Test(
        "other codings and several codings are unsupported",
        arguments: [
            ["deflate"], ["br"], ["gzip, gzip"], ["gzip", "gzip"], ["gzip, br"], ["br, gzip"],
            ["gzip;q=1"], ["\"gzip\""], ["gzip x"], ["*"], ["aes128gcm"], ["gzip, identity, gzip"],
        ]
    )
    func other(lines: [String]) throws {
        #expect(try coding(lines) == .other)
    }
}
