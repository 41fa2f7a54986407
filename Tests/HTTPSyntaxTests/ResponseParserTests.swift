import GuardedBytes
import HTTPSyntax
import Testing

@Suite("Response parser (RFC 9112 §4 to §7)")
struct ResponseParserTests {
    struct Fixture: Sendable, CustomTestStringConvertible {
        var name: String
        var bytes: String
        var answersHead = false
        var status: UInt16 = 200
        var body = ""
        var canReuse = true
        var endsWithConnection = false

        var testDescription: String { name }
    }

    static let good: [Fixture] = [
        Fixture(
            name: "with a length",
            bytes: "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nX: a\r\n\r\nbody",
            body: "body"
        ),
        Fixture(
            name: "of no length",
            bytes: "HTTP/1.1 201 Created\r\ncontent-length:0\r\n\r\n",
            status: 201
        ),
        Fixture(
            name: "in chunks, with extensions and trailers",
            bytes: "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n"
                + "4;a=b\r\nbody\r\n00B \r\n, and more.\r\n0\r\nX-Sum: 1\r\nY: 2\r\n\r\n",
            body: "body, and more."
        ),
        Fixture(
            name: "in no chunk",
            bytes: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        ),
        Fixture(
            name: "until the connection ends",
            bytes: "HTTP/1.1 200 OK\r\nX: y\r\n\r\nall of it",
            body: "all of it",
            canReuse: false,
            endsWithConnection: true
        ),
        Fixture(
            name: "after interim responses",
            bytes: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n"
                + "Content-Length: 9\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na",
            body: "a"
        ),
        Fixture(
            name: "to HEAD",
            bytes: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n",
            answersHead: true
        ),
        Fixture(name: "204", bytes: "HTTP/1.1 204 No Content\r\n\r\n", status: 204),
        Fixture(
            name: "304 with a length",
            bytes: "HTTP/1.1 304 Not Modified\r\nContent-Length: 10\r\n\r\n",
            status: 304
        ),
        Fixture(
            name: "without a reason",
            bytes: "HTTP/1.1 404\r\nContent-Length: 0\r\n\r\n",
            status: 404
        ),
        Fixture(
            name: "with an empty reason",
            bytes: "HTTP/1.1 404 \r\nContent-Length: 0\r\n\r\n",
            status: 404
        ),
        Fixture(
            name: "that closes",
            bytes: "HTTP/1.1 200 OK\r\nConnection: x, Close\r\nContent-Length: 1\r\n\r\na",
            body: "a",
            canReuse: false
        ),
        Fixture(
            name: "of HTTP/1.0",
            bytes: "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na",
            body: "a",
            canReuse: false
        ),
        Fixture(
            name: "of HTTP/1.0 that keeps alive",
            bytes: "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\na",
            body: "a"
        ),
        Fixture(
            name: "with one length said twice",
            bytes: "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na",
            body: "a"
        ),
    ]

    static let bad: [(String, String)] = [
        ("a control character in the reason", "HTTP/1.1 200 O\u{1}K\r\n\r\n"),
        (
            "a trailer without a colon",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX\r\n\r\n"
        ),
        ("another protocol", "SSH-2.0-OpenSSH_9.6\r\n"),
        ("HTTP/2", "HTTP/2.0 200 OK\r\n\r\n"),
        ("HTTP/1.2", "HTTP/1.2 200 OK\r\n\r\n"),
        ("no space", "HTTP/1.1_200 OK\r\n\r\n"),
        ("two digits", "HTTP/1.1 20 OK\r\n\r\n"),
        ("four digits", "HTTP/1.1 2000 OK\r\n\r\n"),
        ("letters", "HTTP/1.1 2x0 OK\r\n\r\n"),
        ("status 099", "HTTP/1.1 099 OK\r\n\r\n"),
        ("status 600", "HTTP/1.1 600 OK\r\n\r\n"),
        ("an empty line first", "\r\nHTTP/1.1 200 OK\r\n\r\n"),
        ("a bare LF", "HTTP/1.1 200 OK\nContent-Length: 0\n\n"),
        ("a lone CR", "HTTP/1.1 200 OK\r\nX: a\rb\r\nContent-Length: 0\r\n\r\n"),
        ("NUL", "HTTP/1.1 200 OK\r\nX: a\u{0}b\r\nContent-Length: 0\r\n\r\n"),
        ("a field without a colon", "HTTP/1.1 200 OK\r\nContent-Length\r\n\r\n"),
        ("a space before the colon", "HTTP/1.1 200 OK\r\nContent-Length : 0\r\n\r\n"),
        ("no name", "HTTP/1.1 200 OK\r\n: 0\r\n\r\n"),
        ("a folded field", "HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 0\r\n\r\n"),
        ("a signed length", "HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\na"),
        ("a negative length", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\na"),
        ("a length in hex", "HTTP/1.1 200 OK\r\nContent-Length: 0x1\r\n\r\na"),
        ("an empty length", "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\na"),
        ("two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na"),
        ("a list of lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1, 2\r\n\r\na"),
        (
            "a length that overflows",
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\na"
        ),
        (
            "length and chunks",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        ),
        ("gzip, chunked", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
        ("chunks in HTTP/1.0", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        (
            "chunked twice",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n"
        ),
        ("a chunk of no size", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n"),
        ("a chunk of size x", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n"),
        ("a signed chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n+1\r\na\r\n"),
        ("two sizes", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1 1\r\na\r\n"),
        (
            "a chunk size that overflows",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\na"
        ),
        ("a chunk too long", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n"),
        ("a switch of protocols", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"),
    ]

    /// The result of parsing bytes.
    private struct Response {
        var parser: ResponseParser
        var body: [UInt8] = []

        init(to fixture: Fixture) { parser = ResponseParser(answeringHead: fixture.answersHead) }

        /// Feeds a piece that lies flush against a page that can't be read.
        mutating func feed(_ piece: some Collection<UInt8>) throws(ProtocolError) {
            let guarded = GuardedBytes(piece)
            defer { withExtendedLifetime(guarded) {} }
            var offset = 0
            while true {
                switch try parser.next(guarded.span, &offset) {
                case .head: continue
                case .data(let range): body += guarded.span[range]
                case .needsMore, .end: return
                }
            }
        }
    }

    /// Feeds the bytes in pieces that end at those offsets, and the end of the connection.
    private func parse(
        _ fixture: Fixture,
        splitAt offsets: some Sequence<Int>
    ) throws -> Response {
        let bytes = Array(fixture.bytes.utf8)
        var response = Response(to: fixture)
        var start = 0
        for end in Array(offsets) + [bytes.count] {
            try response.feed(bytes[start..<end])
            start = end
        }
        if fixture.endsWithConnection {
            #expect(!response.parser.isDone)
            try response.parser.finish()
        }
        return response
    }

    private func check(_ response: Response, _ fixture: Fixture) {
        #expect(response.parser.isDone)
        #expect(response.parser.status == fixture.status)
        #expect(String(decoding: response.body, as: UTF8.self) == fixture.body)
        #expect(response.parser.canReuse == fixture.canReuse)
    }

    @Test("a response is parsed in one piece, byte by byte and at every split", arguments: good)
    func splits(fixture: Fixture) throws {
        let count = fixture.bytes.utf8.count
        check(try parse(fixture, splitAt: []), fixture)
        check(try parse(fixture, splitAt: 0..<count), fixture)
        for split in 1..<count { check(try parse(fixture, splitAt: [split]), fixture) }
    }

    @Test("a body may have any number of chunks")
    func chunks() throws {
        let text =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            + String(repeating: "1;name=value\r\na\r\n", count: 10_000) + "0\r\n\r\n"
        let response = try parse(Fixture(name: "", bytes: text), splitAt: [])
        #expect(response.parser.isDone)
        #expect(response.body.count == 10_000)
    }

    @Test("a truncated response is an error at every length", arguments: good)
    func truncated(fixture: Fixture) throws {
        let bytes = Array(fixture.bytes.utf8)
        let head = fixture.endsWithConnection ? bytes.count - fixture.body.utf8.count : bytes.count
        for count in 0..<head {
            var response = Response(to: fixture)
            try response.feed(bytes[..<count])
            #expect(!response.parser.isDone)
            #expect(response.parser.hasBegun == (count > 0))
            #expect(throws: ProtocolError.self) { try response.parser.finish() }
        }
    }

    @Test("an invalid response is rejected, in one piece and byte by byte", arguments: bad)
    func refused(name: String, text: String) {
        let fixture = Fixture(name: name, bytes: text, endsWithConnection: true)
        for offsets in [0..<0, 0..<text.utf8.count] {
            let error = #expect(throws: ProtocolError.self) {
                try parse(fixture, splitAt: offsets)
            }
            #expect(error?.status != 431)
        }
    }

    @Test("fields retain order and duplicates, without surrounding spaces")
    func fields() throws {
        let text =
            "HTTP/1.1 200 OK\r\nX: \t a b \t\r\nSet-Cookie: 1\r\nset-cookie: 2\r\nE:\r\n"
            + "Content-Length: 0\r\n\r\n"
        let response = try parse(Fixture(name: "", bytes: text), splitAt: 0..<text.utf8.count)
        var fields: [[String]] = []
        response.parser.forEachField { fields.append([$0.name.text, $0.value.text]) }
        #expect(
            fields == [
                ["X", "a b"], ["Set-Cookie", "1"], ["set-cookie", "2"], ["E", ""],
                ["Content-Length", "0"],
            ]
        )
    }

    @Test("bytes after the end prevent reuse of the connection")
    func excess() throws {
        let text = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nab"
        let response = try parse(Fixture(name: "", bytes: text), splitAt: [])
        #expect(response.parser.isDone)
        #expect(response.body == [UInt8(ascii: "a")])
        #expect(!response.parser.canReuse)
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        #expect(try parse(Fixture(name: "", bytes: chunked), splitAt: []).parser.canReuse)
        #expect(try !parse(Fixture(name: "", bytes: chunked + "H"), splitAt: []).parser.canReuse)
    }

    @Test("an endless head and endless interim responses are rejected")
    func endlessHead() {
        let long = "HTTP/1.1 200 OK\r\nX: " + String(repeating: "a", count: 70_000)
        let interim = String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 3_000)
        for text in [long, interim] {
            let error = #expect(throws: ProtocolError.self) {
                try parse(Fixture(name: "", bytes: text), splitAt: [])
            }
            #expect(error?.status == 431)
        }
    }
}
