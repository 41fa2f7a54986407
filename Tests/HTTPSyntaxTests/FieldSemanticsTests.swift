import GuardedBytes
import Testing

@testable import HTTPSyntax

@Suite("Fields of connection and framing (RFC 9112 §6, §9)")
struct FieldSemanticsTests: RequestHeads {
    @Test(
        "framing that two servers might read differently is rejected (§6.1, §6.3, §11.2)",
        arguments: [
            ("Content-Length: 5\nContent-Length: 6", 400),
            ("Content-Length: 5\nContent-Length: 5", 400),
            ("Content-Length: 5, 5", 400), ("Content-Length: 5,", 400), ("Content-Length:", 400),
            ("Content-Length: +5", 400), ("Content-Length: -5", 400), ("Content-Length: 5 5", 400),
            ("Content-Length: 0x5", 400), ("Content-Length: 5.0", 400),
            ("Content-Length: \u{664}", 400),
            ("Content-Length: 9223372036854775808", 413),
            ("Content-Length: 18446744073709551621", 413),
            ("Content-Length: 5\nTransfer-Encoding: chunked", 400),
            ("Transfer-Encoding: chunked\nContent-Length: 5", 400),
            ("Transfer-Encoding: chunked\nTransfer-Encoding: chunked", 400),
            ("Transfer-Encoding: chunked, chunked", 400), ("Transfer-Encoding: chunked, gzip", 400),
            ("Transfer-Encoding: gzip", 400), ("Transfer-Encoding: identity", 400),
            ("Transfer-Encoding: xchunked", 400), ("Transfer-Encoding: chunked;q=1", 400),
            ("Transfer-Encoding: \"chunked\"", 400), ("Transfer-Encoding:", 400),
            ("Transfer-Encoding: chunked\u{b}", 400), ("Transfer-Encoding : chunked", 400),
            ("Transfer-Encoding\u{0}: chunked", 400), (" Transfer-Encoding: chunked", 400),
            ("X: y\n Transfer-Encoding: chunked", 400), ("Transfer-Encoding:\n chunked", 400),
            ("Transfer-Encoding:\nTransfer-Encoding: chunked", 400),
            ("Transfer-Encoding: gzip, chunked", 501),
            ("Transfer-Encoding: gzip\nTransfer-Encoding: chunked", 501),
            ("Transfer-Encoding: chunked\nTransfer-Encoding: identity", 400),
        ]
    )
    func smuggling(fields: String, expected: UInt16) {
        #expect(status("POST / HTTP/1.1\nHost: a\n\(fields)\n\n".crlf) == expected)
    }

    @Test("Transfer-Encoding in HTTP/1.0 is rejected (§6.1)")
    func transferEncodingInHTTP10() {
        #expect(status("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n") == 400)
    }

    @Test(
        "the fields determine the body's framing (§6.3)",
        arguments: [
            ("X: y", BodyFraming.none), ("Content-Length: 12", .length(12)),
            ("Content-Length: 0", .length(0)), ("Transfer-Encoding: chunked", .chunked),
        ]
    )
    func framing(field: String, framing: BodyFraming) {
        withHead("POST / HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n") {
            #expect($0.framing == framing)
        }
    }

    @Test(
        "version and Connection determine whether the connection persists (§9.3)",
        arguments: [
            ("1.1", "X: y", true), ("1.1", "Connection: close", false),
            ("1.1", "Connection: x, CLOSE", false), ("1.1", "Connection: closed", true),
            ("1.1", "Connection: x\r\nConnection: close", false), ("1.0", "X: y", false),
            ("1.0", "Connection: Keep-Alive", true),
            ("1.0", "Connection: keep-alive, close", false),
        ]
    )
    func persistence(version: String, field: String, keepsAlive: Bool) {
        withHead("GET / HTTP/\(version)\r\nHost: a\r\n\(field)\r\n\r\n") {
            #expect($0.keepsAlive == keepsAlive)
        }
    }

    @Test("100-continue is expected only if a body follows (RFC 9110 §10.1.1)")
    func expectation() {
        let fields = "Host: a\r\nExpect: 100-Continue\r\n"
        withHead("POST / HTTP/1.1\r\n\(fields)Content-Length: 1\r\n\r\n") {
            #expect($0.expectsContinue)
        }
        withHead("POST / HTTP/1.1\r\n\(fields)Content-Length: 0\r\n\r\n") {
            #expect(!$0.expectsContinue)
        }
        withHead("POST / HTTP/1.0\r\n\(fields)Content-Length: 1\r\n\r\n") {
            #expect(!$0.expectsContinue)
        }
        #expect(status("GET / HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n\r\n") == 417)
    }

    @Test(
        "an upgrade to HTTP/2 needs one HTTP2-Settings, named in Connection (RFC 7540 §3.2.1)",
        arguments: [
            ("Connection: Upgrade, HTTP2-Settings\nUpgrade: h2c\nHTTP2-Settings: AA", true),
            (
                "Connection: http2-settings\nConnection: UPGRADE\nUpgrade: x, H2C\nHTTP2-Settings:",
                true
            ),
            ("Connection: Upgrade\nUpgrade: h2c\nHTTP2-Settings: AA", false),
            ("Connection: HTTP2-Settings\nUpgrade: h2c\nHTTP2-Settings: AA", false),
            ("Connection: Upgrade, HTTP2-Settings\nUpgrade: h2c", false),
            ("Connection: Upgrade, HTTP2-Settings\nUpgrade: h2\nHTTP2-Settings: AA", false),
            (
                "Connection: Upgrade, HTTP2-Settings\nUpgrade: h2c\nHTTP2-Settings: AA\n"
                    + "HTTP2-Settings: AA", false
            ),
        ]
    )
    func upgrade(fields: String, offers: Bool) {
        withHead("GET / HTTP/1.1\nHost: a\n\(fields)\n\n".crlf) { head in
            #expect(head.offersHTTP2 == offers)
        }
        withHead("GET / HTTP/1.0\nHost: a\n\(fields)\n\n".crlf) { #expect(!$0.offersHTTP2) }
    }

    @Test("rare fields are recorded, in any case")
    func notes() {
        for (field, demand) in [
            ("If-Match", RareFields.match), ("if-none-match", .match),
            ("REQUEST-TIMEOUT", .timeout), ("Idempotency-Key", .idempotency),
            ("PLUGBOARD-guard", .reports), ("If-Modified", []),
        ] {
            withHead("GET / HTTP/1.1\nHost: a\n\(field): 1\n\n".crlf) { head in
                #expect(head.demands == demand, "\(field)")
                #expect(!head.isFromBrowser)
            }
        }
        for field in ["Origin", "sec-fetch-site"] {
            withHead("GET / HTTP/1.1\nHost: a\n\(field): 1\n\n".crlf) { head in
                #expect(head.isFromBrowser, "\(field)")
                #expect(head.demands == [])
            }
        }
    }
}
