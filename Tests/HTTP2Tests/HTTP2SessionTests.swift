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

@Suite("HTTP/2 sessions (RFC 9113)")
struct HTTP2SessionTests {
    @Test("a head is judged", arguments: Row.all)
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

    @Test("a head has its fields, with cookies joined (§8.2.3)")
    func fields() {
        let cookies = [
            ("cookie", ""), ("cookie", "a=b"), ("x", "y"), ("cookie", "c=d"), ("cookie", ""),
            ("cookie", "e=f"), ("cookie", ""),
        ]
        let frame = HTTP2Frame.headers(1, HTTP2Frame.request("GET", "/p?q", cookies))
        #expect(serveHTTP2([frame]).heads == ["GET http://a/p?q cookie=a=b; c=d; e=f,x=y"])
    }

    @Test("the scheme and an unknown method are as the client says (§8.3.1)")
    func scheme() {
        var fields = HTTP2Frame.request("BREW", "/")
        fields[1].1 = "https"
        #expect(serveHTTP2([.headers(1, fields)]).heads == ["BREW https://a/ "])
    }

    @Test("a head may come in frames, padded and with a priority (§6.2, §6.10)")
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

    @Test("a head that is kept outlives the next")
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

    @Test(
        "a window beyond 2^31-1 breaks its stream off, whatever ends the session behind it (§6.9.1)"
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

    @Test("who opens streams beyond the bound, and reads no refusal, is stopped (§10.5)")
    func unreadRefusals() {
        var limits = HTTP2Limits()
        (limits.streams, limits.queue) = (1, 100)
        let heads = (0..<300 as Range<UInt32>).map {
            HTTP2Frame.headers(2 * $0 + 1, HTTP2Frame.request())
        }
        #expect(serveHTTP2(Array(heads.prefix(90)), limits).outcome == .reset(7))
        #expect(serveHTTP2(heads, limits).outcome == .goAway(11))
    }

    @Test("a body's length is what was announced (§8.1.1)", arguments: [3, 4, 5])
    func length(count: Int) {
        let fields = HTTP2Frame.request("POST", "/", [("content-length", "4")])
        let body = String(repeating: "x", count: count)
        let witness = serveHTTP2([.headers(1, fields, ends: false), .data(1, body)])
        #expect(witness.outcome == (count == 4 ? .served : .reset(1)))
        #expect(witness.isEnded == (count == 4))
    }

    @Test(
        "trailers end the request, and have a head's limits (§8.1)",
        arguments: [
            (Fields([("checksum", "1")]), HTTP2Outcome.served),
            ([(":path", "/")], .reset(1)),
            ([("Checksum", "1")], .reset(1)),
            ([("x", String(repeating: "a", count: 16_320)), ("y", "")], .reset(11)),
        ] as [([(String, String)], HTTP2Outcome)]
    )
    fileprivate func trailers(fields: [(String, String)], outcome: HTTP2Outcome) {
        let head = HTTP2Frame.headers(1, HTTP2Frame.request("POST", "/"), ends: false)
        let witness = serveHTTP2([head, .data(1, "x", ends: false), .headers(1, fields)])
        #expect(witness.outcome == outcome)
        #expect(witness.isEnded || outcome == .reset(1))
    }

    @Test("trailers that don't end the stream are malformed (§8.1)")
    func openTrailers() {
        let head = HTTP2Frame.headers(1, HTTP2Frame.request("POST", "/"), ends: false)
        #expect(serveHTTP2([head, .headers(1, [("x", "y")], ends: false)]).outcome == .reset(1))
    }

    @Test("the settings say what the server takes (§6.5.2)")
    func settings() {
        let first = serveHTTP2([]).sent.first
        let expected: [[UInt8]] = [
            [0, 3, 0, 0, 0, 100], [0, 4, 0, 0, 0xFF, 0xFF], [0, 6, 0, 0, 0x40, 0],
        ]
        #expect(first?.kind == .settings)
        #expect(first?.payload == expected.flatMap(\.self))
    }

    @Test("a request that came in HTTP/1.1 is known as any other (RFC 7540 §3.2)")
    func upgrade() {
        let witness = HTTP2Witness()
        let context = Unmanaged.passUnretained(witness).toOpaque()
        GuardedBytes.with(Array("AAMAAABk".utf8)) { settings in
            #expect(witness.session?.upgrade(settings: settings, isHead: false, context) == true)
        }
        #expect(witness.session?.context(1) == context)
    }

    @Test(
        "what comes on a stream that the client has ended ends the session (§5.1)",
        arguments: [1, 3, 9] as [UInt32]
    )
    func ended(stream: UInt32) {
        let streams = [1, 3, 5, 7, 9] as [UInt32]
        let heads = streams.map { HTTP2Frame.headers($0, HTTP2Frame.request()) }
        #expect(serveHTTP2(heads + [.headers(stream, [("x", "y")])]).outcome == .goAway(5))
        // Whether it was answered or broken off.
        let open = HTTP2Frame.headers(11, HTTP2Frame.request("POST", "/"), ends: false)
        let late = HTTP2Frame.headers(11, [("x", "y")])
        #expect(serveHTTP2(heads + [open, .reset(11), late]).outcome == .goAway(5))
        #expect(serveHTTP2(heads + [open, .reset(11), .data(11, "x")]).outcome == .goAway(5))
    }

    @Test(
        "first bytes are the preface, its beginning, another protocol's, or none of these (§3.4)",
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
