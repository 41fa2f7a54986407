import GuardedBytes
import HTTP2Frames
import Testing

@testable import HTTP2
@testable import HTTPSyntax

@Suite("HTTP/2 sessions (RFC 9113)")
struct HTTP2SessionTests {
    @Test(
        "a window beyond 2^31-1 resets its stream even if the session ends after it (§6.9.1)"
    )
    func overflow() {
        let most = HTTP2Frame.window(1, 0x7FFF_FFFF)
        let post = HTTP2Frame.headers(1, HTTP2Frame.request("POST", "/"))
        let alone = serveHTTP2([post, most, most, most])
        #expect(alone.outcome == .reset(3))
        #expect(!alone.sent.contains { $0.kind == .goAway })
        let behind = serveHTTP2([post, most, most, most, .data(1, "test")])
        let told = behind.sent.filter { $0.kind == .reset || $0.kind == .goAway }
        #expect(told.map(\.number) == [3, 5])
    }

    @Test("a client that ignores RST_STREAM and opens more streams is disconnected (§10.5)")
    func unreadRefusals() {
        var limits = HTTP2Limits()
        (limits.streams, limits.queue) = (1, 100)
        let heads = (0..<300 as Range<UInt32>).map {
            HTTP2Frame.headers(2 * $0 + 1, HTTP2Frame.request())
        }
        #expect(serveHTTP2(Array(heads.prefix(90)), limits).outcome == .reset(7))
        #expect(serveHTTP2(heads, limits).outcome == .goAway(11))
    }

    @Test("the first SETTINGS have the server's limits (§6.5.2)")
    func settings() {
        let first = serveHTTP2([]).sent.first
        let expected: [[UInt8]] = [
            [0, 3, 0, 0, 0, 100], [0, 4, 0, 0, 0xFF, 0xFF], [0, 6, 0, 0, 0x40, 0],
        ]
        #expect(first?.kind == .settings)
        #expect(first?.payload == expected.flatMap(\.self))
    }

    @Test("an upgraded HTTP/1.1 request becomes stream 1 (RFC 7540 §3.2)")
    func upgrade() {
        let witness = HTTP2Witness()
        let context = Unmanaged.passUnretained(witness).toOpaque()
        GuardedBytes.with(Array("AAMAAABk".utf8)) { settings in
            #expect(witness.session?.upgrade(settings: settings, isHead: false, context) == true)
        }
        #expect(witness.session?.context(1) == context)
    }

    @Test(
        "first bytes are a complete, partial or broken preface, or none (§3.4)",
        arguments: [
            ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .complete),
            ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0", .complete),
            ("PRI * HTTP/2.0\r\n", .partial),
            ("PRI * HTTP/2.0\r\n\r\nSX\r\n\r\n", .none),
            ("INVALID CONNECTION PREFACE\r\n\r\n", .broken),
            ("PRI CONNECTION PREFACE\r\n\r\n", .broken),
            ("LOCK CONNECTION PREFACE\r\n", .none),
            ("GET / FTP/1.1\r\n", .none), ("FOO / BAR", .none), ("FOO BAR HTTP/9", .none),
            ("GET CONNECTION PREFACE\r\n", .none), ("", .partial), (" A B\r\n", .none),
            ("A  B\r\n", .none), ("OPTION * HT\r\n", .none), ("OPTION X HTTP\r\n", .none),
            ("get a b\r\n", .none), ("A B \r\n", .none), ("A B C", .none),
        ] as [(String, HTTP2Session.Preface)]
    )
    func preface(text: String, expected: HTTP2Session.Preface) {
        let bytes = GuardedBytes(Array(text.utf8))
        withExtendedLifetime(bytes) { #expect(HTTP2Session.preface(bytes.span) == expected) }
    }
}
