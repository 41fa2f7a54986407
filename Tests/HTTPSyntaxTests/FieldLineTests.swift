import GuardedBytes
import Testing

@testable import HTTPSyntax

@Suite("Lines of a head (RFC 9112 §2.2, §5)")
struct FieldLineTests: RequestHeads {
    @Test(
        "a bare LF or a bare CR doesn't end a line (§2.2)",
        arguments: [
            "GET / HTTP/1.1\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\n\n", "GET / HTTP/1.1\rHost: a\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n", "\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\n\rX", "GET / HTTP/1.1\r\r\nHost: a\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\r\n\r\n",
        ]
    )
    func bareLineEnds(text: String) {
        #expect(status(text) == 400)
    }

    @Test(
        "a line that parsers read differently is rejected (RFC 9112 §5)",
        arguments: [
            "GET / HTTP/1.1\nHost : a\n\n", "GET / HTTP/1.1\nHost\t: a\n\n",
            "GET / HTTP/1.1\n Host: a\n\n", "GET / HTTP/1.1\nHost: a\nX: 1\n 2\n\n",
            "GET / HTTP/1.1\nHost: a\nX: 1\n\t2\n\n", "GET / HTTP/1.1\nHost: a\nX\n\n",
            "GET / HTTP/1.1\nHost: a\n: x\n\n", "GET / HTTP/1.1\nHost: a\nX Y: 1\n\n",
            "GET / HTTP/1.1\nHost: a\nX(Y): 1\n\n", "GET / HTTP/1.1\nHost: a\nX: \u{0}\n\n",
            "GET / HTTP/1.1\nHost: a\nX: \u{1}\n\n", "GET / HTTP/1.1\nHost: a\nX: \u{7f}\n\n",
            "GET / HTTP/1.1\nHost: a\nX\u{e9}: 1\n\n", "GET / HTTP/1.1\nHost: a\nX: \u{b}\n\n",
        ]
    )
    func refused(text: String) {
        #expect(status(text.crlf) == 400)
    }
}
