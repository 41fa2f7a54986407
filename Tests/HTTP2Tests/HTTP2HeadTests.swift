import GuardedBytes
import HTTP2Frames
import Testing

@testable import HTTP2
@testable import HTTPSyntax

private typealias Fields = [(String, String)]

/// A head and what becomes of it.
private struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let outcome: HTTP2Outcome
    let fields: [(String, String)]

    init(_ description: String, _ outcome: HTTP2Outcome, _ fields: Fields) {
        (testDescription, self.outcome, self.fields) = (description, outcome, fields)
    }

    /// The fields of a GET, one of them replaced, left out where the value is nil.
    static func get(_ name: String, _ value: String?, _ more: Fields = []) -> Fields {
        HTTP2Frame.request().compactMap { field in
            field.0 == name ? value.map { (name, $0) } : field
        } + more
    }

    static func more(_ more: (String, String)...) -> Fields {
        HTTP2Frame.request("GET", "/", more)
    }

    static let malformed = HTTP2Outcome.reset(1)

    static let all = [
        Row("§8.3.1 a GET", .served, HTTP2Frame.request()),
        Row("§8.3.1 Host in place of :authority", .served, get(":authority", nil, [("host", "a")])),
        Row("§8.3.1 Host beside :authority, the same", .served, more(("host", "A"))),
        Row("§8.3.1 Host beside :authority, another", .refused(400), more(("host", "b"))),
        Row("§8.3.1 two Hosts", malformed, more(("host", "a"), ("host", "a"))),
        Row("§8.3.1 neither", malformed, get(":authority", nil)),
        Row("§8.3.1 an empty :authority", malformed, get(":authority", "")),
        Row("§8.3.1 an empty Host", malformed, get(":authority", nil, [("host", "")])),
        Row("§8.3.1 user information", .refused(400), get(":authority", "u@a")),
        Row("§8.3.1 a port beyond all", .refused(400), get(":authority", "a:65536")),
        Row("§8.3.1 an address in brackets", .served, get(":authority", "[::1]:80")),
        Row("§8.3.1 no :method", malformed, get(":method", nil)),
        Row("§8.3.1 an empty :method", malformed, get(":method", "")),
        Row("§8.3.1 a :method that is no token", malformed, get(":method", "GE T")),
        Row("§8.3.1 no :scheme", malformed, get(":scheme", nil)),
        Row("§8.3.1 https behind a proxy", .served, get(":scheme", "https")),
        Row("§8.3.1 another :scheme", .refused(400), get(":scheme", "ftp")),
        Row("§8.3.1 no :path", malformed, get(":path", nil)),
        Row("§8.3.1 an empty :path", malformed, get(":path", "")),
        Row("§8.3.1 a :path without its slash", malformed, get(":path", "a")),
        Row("§8.3.1 a URI as :path", malformed, get(":path", "http://a/")),
        Row("§8.3.1 * for GET", malformed, get(":path", "*")),
        Row("§8.3.1 * for OPTIONS", .served, HTTP2Frame.request("OPTIONS", "*")),
        Row("§8.3.1 a space in :path", malformed, get(":path", "/a b")),
        Row("§8.3.1 a fragment in :path", .refused(400), get(":path", "/a#b")),
        Row("§8.3.1 a broken escape", .refused(400), get(":path", "/%0")),
        Row("§8.3.1 a NUL by an escape", .refused(400), get(":path", "/%00")),
        Row(
            "§8.3.1 what browsers don't encode (WHATWG URL)",
            .served,
            get(":path", "/[^|]?\\`{|}%")
        ),
        Row("§8.3.1 a backslash in the path", .refused(400), get(":path", "/a\\b")),
        Row("§8.3.1 bytes that are no URI's", .refused(400), get(":path", "/\u{e9}")),
        Row("§8.3 :path twice", malformed, more((":path", "/"))),
        Row("§8.3 an unknown pseudo-field", malformed, more((":x", "y"))),
        Row("§8.3 a response's pseudo-field", malformed, more((":status", "200"))),
        Row(
            "§8.3 a pseudo-field behind a field",
            malformed,
            [("a", "b")] + HTTP2Frame.request()
        ),
        Row("§8.2 upper case", malformed, more(("X", "y"))),
        Row("§8.2.1 a space in a name", malformed, more(("x y", "z"))),
        Row("§8.2.1 an empty name", malformed, more(("", "z"))),
        Row("§8.2.1 a colon in a name", malformed, more(("x:y", "z"))),
        Row("§8.2.1 CR LF in a value", malformed, more(("x", "y\r\nz: a"))),
        Row("§8.2.1 a NUL in a value", malformed, more(("x", "y\0"))),
        Row("§8.2.1 space before a value", malformed, more(("x", " y"))),
        Row("§8.2.1 space behind a value", malformed, more(("x", "y\t"))),
        Row("§8.2.1 an empty value", .served, more(("x", ""))),
        Row("§8.2.2 Connection", malformed, more(("connection", "close"))),
        Row("§8.2.2 Keep-Alive", malformed, more(("keep-alive", "1"))),
        Row("§8.2.2 Proxy-Connection", malformed, more(("proxy-connection", "close"))),
        Row("§8.2.2 Transfer-Encoding", malformed, more(("transfer-encoding", "chunked"))),
        Row("§8.2.2 Upgrade", malformed, more(("upgrade", "h2c"))),
        Row("§8.2.2 TE: trailers", .served, more(("te", "trailers"))),
        Row("§8.2.2 TE: gzip", malformed, more(("te", "gzip"))),
        Row("§8.1.1 a length without a body", malformed, more(("content-length", "1"))),
        Row("§8.1.1 a length of nothing", .served, more(("content-length", "0"))),
        Row("§8.1.1 a length that is no number", malformed, more(("content-length", "+0"))),
        Row(
            "§8.1.1 two lengths",
            malformed,
            more(("content-length", "0"), ("content-length", "0"))
        ),
        Row("§8.5 CONNECT", .served, [(":method", "CONNECT"), (":authority", "a:1")]),
        Row(
            "§8.5 CONNECT without a port",
            .refused(400),
            [(":method", "CONNECT"), (":authority", "a")]
        ),
        Row("§8.5 CONNECT with a path", malformed, HTTP2Frame.request("CONNECT", "/")),
        Row("RFC 8441 CONNECT with :protocol", malformed, more((":protocol", "websocket"))),
        Row("RFC 9110 §10.1.1 an unknown expectation", .refused(417), more(("expect", "x"))),
        Row("RFC 9110 §9.1 an unknown method", .served, HTTP2Frame.request("BREW", "/")),
        Row(
            "a long target",
            .refused(414),
            get(":path", "/" + String(repeating: "a", count: 8192))
        ),
        Row("a head of 16 KiB", .refused(431), more(("x", String(repeating: "a", count: 16_384)))),
        Row("101 fields", .refused(431), more() + (0...100).map { ("x\($0)", "") }),
        Row("100 fields", .served, more() + (0..<100).map { ("x\($0)", "") }),
    ]
}

@Suite("Request heads in HTTP/2 (RFC 9113 §8)")
struct HTTP2HeadTests {
    @Test("each head of the table has the expected outcome", arguments: Row.all)
    fileprivate func head(_ row: Row) {
        // A frame is 16 KiB at most; what is longer goes on in others.
        let block = HPACK.encode(row.fields)
        let parts = stride(from: 0, to: block.count, by: 16_000)
            .map { Array(block[$0..<min($0 + 16_000, block.count)]) }
        let frames = parts.enumerated().map { index, part in
            let last: UInt8 = index == parts.count - 1 ? HTTP2Frame.endHeaders : 0
            return index == 0
                ? HTTP2Frame(.headers, flags: last | HTTP2Frame.endStream, stream: 1, part)
                : HTTP2Frame(.continuation, flags: last, stream: 1, part)
        }
        #expect(serveHTTP2(frames).outcome == row.outcome)
    }

    @Test("a head has its fields in order, with cookies joined (§8.2.3)")
    func fields() {
        let cookies = [
            ("cookie", ""), ("cookie", "a=b"), ("x", "y"), ("cookie", "c=d"), ("cookie", ""),
            ("cookie", "e=f"), ("cookie", ""),
        ]
        let frame = HTTP2Frame.headers(1, HTTP2Frame.request("GET", "/p?q", cookies))
        #expect(serveHTTP2([frame]).heads == ["GET http://a/p?q cookie=a=b; c=d; e=f,x=y"])
    }

    @Test("the client's scheme and an unknown method are preserved (§8.3.1)")
    func scheme() {
        var fields = HTTP2Frame.request("BREW", "/")
        fields[1].1 = "https"
        #expect(serveHTTP2([.headers(1, fields)]).heads == ["BREW https://a/ "])
    }

    @Test("a head may be divided into frames, padded and with a priority (§6.2, §6.10)")
    func frames() {
        let block = HPACK.encode(HTTP2Frame.request("GET", "/a"))
        let first = [2, 0, 0, 0, 0, 15] + block.prefix(10) + [0, 0]
        let witness = serveHTTP2([
            HTTP2Frame(.headers, flags: 1 | 8 | 32, stream: 1, first),
            HTTP2Frame(.continuation, stream: 1, []),
            HTTP2Frame(.continuation, flags: 4, stream: 1, Array(block.dropFirst(10))),
        ])
        #expect(witness.heads == ["GET http://a/a "])
    }

    @Test("a copied head is unaffected by the next one")
    func keptHead() throws {
        let session = try #require(HTTP2Session(limits: HTTP2Limits(), now: 0))
        final class Keeper: HTTP2Handler {
            unowned let session: HTTP2Session
            var heads: [HTTP2Head] = []
            init(_ session: HTTP2Session) { self.session = session }
            func began(_ stream: Int32, _ place: UnsafePointer<RequestHead>, isComplete: Bool) {
                heads.append(session.keepHead())
            }
            func failed(_ stream: Int32, _ error: ProtocolError, isHead: Bool) {}
            func received(_ context: UnsafeMutableRawPointer, _ bytes: ByteSpan) {}
            func ended(_ context: UnsafeMutableRawPointer) {}
            func answeredEarly(_ context: UnsafeMutableRawPointer) {}
            func closed(_ context: UnsafeMutableRawPointer) {}
            func head(_ context: UnsafeMutableRawPointer) -> HTTP2Session.ResponseHead? { nil }
            func next(_ context: UnsafeMutableRawPointer, limit: Int) -> HTTP2Piece? { nil }
            func write(
                _ context: UnsafeMutableRawPointer,
                _ count: Int,
                to place: UnsafeMutablePointer<UInt8>
            ) -> Bool { false }
        }
        let keeper = Keeper(session)
        session.handler = keeper
        var bytes = HTTP2Frame.preface + HTTP2Frame.settings().bytes
        for stream in 0..<50 as Range<UInt32> {
            let fields = HTTP2Frame.request("GET", "/%61%2f\(stream)", [("x", "\(stream)")])
            bytes += HTTP2Frame.headers(2 * stream + 1, fields).bytes
        }
        let guarded = GuardedBytes(bytes)
        withExtendedLifetime(guarded) { session.receive(guarded.span, now: 0) }
        #expect(keeper.heads.map { $0.requestHead.path.text } == (0..<50).map { "/a%2F\($0)" })
        #expect(
            keeper.heads.map { $0.requestHead.rawPath.text } == (0..<50).map { "/%61%2f\($0)" }
        )
        #expect(keeper.heads.map { $0.requestHead.field("x")?.text } == (0..<50).map { "\($0)" })
    }
}
