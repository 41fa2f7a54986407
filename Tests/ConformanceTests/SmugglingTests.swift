import Testing

extension Conformance {
    /// Requests that some proxy frames in another way, each with a second request in the difference.
    ///
    /// The server's reading must be the only one: it refuses and closes, or it reads the hidden request as the
    /// body that it is. `GET /smuggled` is a file that exists, so an answer to it cannot be mistaken.
    @Suite("Smuggling")
    struct SmugglingTests {
        @Test("smuggling", arguments: cases)
        func holds(_ row: Case) throws { try row.run() }

        static let cases =
            both + hiddenCoding + hiddenLength + lengths + chunkLines + heads + unread + lookalikes

        private static let hidden = "GET /smuggled HTTP/1.1\r\nHost: plugboard.test\r\n\r\n"
        private static let size = String(hidden.utf8.count, radix: 16)
        private static let length = hidden.utf8.count
        private static let endThenHidden = "0\r\n\r\n" + hidden

        // MARK: Content-Length against Transfer-Encoding

        private static let both = rows(
            "RFC 9112 §6.1",
            .refused,
            [
                "CL.TE: a length that covers what follows the last chunk":
                    like(
                        "Content-Length: \(length + 5)",
                        "Transfer-Encoding: chunked",
                        body: endThenHidden
                    ),
                "TE.CL: a length that ends inside the first chunk":
                    like(
                        "Transfer-Encoding: chunked",
                        "Content-Length: \(size.utf8.count + 2)",
                        body: "\(size)\r\n\(hidden)\r\n0\r\n\r\n"
                    ),
                "TE.0: chunked beside a length of zero":
                    like("Content-Length: 0", "Transfer-Encoding: chunked", body: endThenHidden),
                "CL.TE in two writes":
                    like("Content-Length: \(length + 5)", "Transfer-Encoding: chunked")
                    + Wire(stringLiteral: endThenHidden),
                "CL.TE on HTTP/1.0 with keep-alive":
                    request(
                        "POST /photos/42/like HTTP/1.0",
                        "Connection: keep-alive",
                        "Content-Length: \(length + 5)",
                        "Transfer-Encoding: chunked",
                        body: endThenHidden
                    ),
                "CL.TE on GET":
                    request(
                        "GET /hello.txt HTTP/1.1",
                        host,
                        "Content-Length: \(length + 5)",
                        "Transfer-Encoding: chunked",
                        body: endThenHidden
                    ),
                "TE on HTTP/1.0 with keep-alive":
                    request(
                        "POST /photos/42/like HTTP/1.0",
                        "Connection: keep-alive",
                        "Transfer-Encoding: chunked",
                        body: endThenHidden
                    ),
            ]
        )

        /// The coding lines that one party takes for chunked and another does not, beside a length and alone.
        private static let hiddenCoding = [
            "Transfer-Encoding : chunked",
            "Transfer-Encoding\t: chunked",
            " Transfer-Encoding: chunked",
            "Transfer-Encoding:\tchunked",
            "Transfer-Encoding: \u{0B}chunked",
            "Transfer-Encoding: chunked\u{0B}",
            "Transfer-Encoding: \u{0C}chunked",
            "Transfer-Encoding: \u{A0}chunked",
            "Transfer-Encoding: chunked\u{85}",
            "Transfer-Encoding: chunked\0",
            "Transfer-Encoding: \0chunked",
            "Transfer-Encoding: xchunked",
            "Transfer-Encoding: chunkedx",
            "Transfer-Encoding: cow",
            "Transfer-Encoding: identity",
            "Transfer-Encoding: chunked, identity",
            "Transfer-Encoding: identity, chunked",
            "Transfer-Encoding: chunked, cow",
            "Transfer-Encoding: ,chunked",
            "Transfer-Encoding: chunked,",
            "Transfer-Encoding: chunked;a=b",
            "Transfer-Encoding: \"chunked\"",
            "Transfer-Encoding: 'chunked'",
            "Transfer-Encoding:\r\n chunked",
            "Transfer-Encoding:\r\n\tchunked",
            "Transfer-Encoding:\n chunked",
            "Transfer-Encoding:\nchunked",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
            "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: x",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding\r\n: chunked",
            "Transfer-\r\nEncoding: chunked",
            "Transfer\0-Encoding: chunked",
            "X: y\rTransfer-Encoding: chunked",
            "X: y\nTransfer-Encoding: chunked",
            "X: y\r\rTransfer-Encoding: chunked",
            "X: y\r\n\rTransfer-Encoding: chunked",
            "X:\nTransfer-Encoding: chunked",
            "\u{FF}Transfer-Encoding: chunked",
            "Transfer-Encoding\u{85}: chunked",
            "Transfer-Encoding\u{A0}: chunked",
            "\"Transfer-Encoding\": chunked",
            "Transfer-Encoding chunked",
        ].map { line in
            let name = line.unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
            return Case(
                "TE.TE: \(name) beside a length",
                "RFC 9112 §6.3",
                like("Content-Length: \(length + 5)", line, body: endThenHidden),
                .finals([[400, 501]], .closed)
            )
        }

        // MARK: a length that one party does not see

        private static let hiddenLength =
            [
                "Content-Length : \(length)",
                "Content-Length\t: \(length)",
                " Content-Length: \(length)",
                "\tContent-Length: \(length)",
                "Content-Length:\r\n \(length)",
                "Content-Length:\n \(length)",
                "X: y\rContent-Length: \(length)",
                "X: y\nContent-Length: \(length)",
                "X: y\0\nContent-Length: \(length)",
                "Content-Length \(length)",
                "Content\0-Length: \(length)",
                "Content-Length\u{85}: \(length)",
                "Content-Length\u{A0}: \(length)",
                "\rContent-Length: \(length)",
                ":\r\nContent-Length: \(length)",
            ].map { line in
                let name = line.unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
                return Case(
                    "0.CL: \(name)",
                    "RFC 9112 §5.1",
                    like(line, body: hidden),
                    .refused
                )
            }

        // MARK: lengths that are read in two ways

        private static let lengths =
            [
                "+\(length)", "-\(length)", "-0", "0x\(size)", "0\(size)h", "\(length)x",
                "\(length) 0", "\(length),\(length)", "0, \(length)", "\(length), 0",
                "\(length)\u{0B}", "\(length)\0", "\u{A0}\(length)", "", "\(length).0", "1e2",
                "\"\(length)\"", "\(length);", "0\r\nContent-Length: \(length)",
                "\(length)\r\nContent-Length: 0", "\r\nContent-Length: \(length)",
                "\(length)\r\nContent-Length: \(length)", "18446744073709551616",
                "18446744073709551617", "4294967296",
            ].map { value in
                let name = value.unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
                return Case(
                    "CL.CL: a length of '\(name)'",
                    "RFC 9112 §6.3",
                    like("Content-Length: \(value)", body: hidden),
                    .finals([[400, 413]], .closed)
                )
            }

        // MARK: chunks that are read in two ways

        /// A chunk line, its data, and a request that shows when the line was read in another way.
        private static let chunkLines =
            [
                ("the extension ends at a bare LF", "2;\nxx\r\n\(size)\r\n0\r\n\r\n"),
                ("the extension ends at a bare CR", "2;a\rxx\r\n\(size)\r\n0\r\n\r\n"),
                ("the extension ends at CR CR", "2;a=b\r\rxx\r\n\(size)\r\n0\r\n\r\n"),
                ("a bare CR before the semicolon", "2\r\r;a\r\n02\r\n\(size)\r\n0\r\n\r\n"),
                ("the size ends at a bare LF", "2\nxx\r\n0\r\n\r\n"),
                ("the size ends at a bare CR", "2\rxx\r\n0\r\n\r\n"),
                ("the data ends at a bare LF", "2\r\nxx\n0\r\n\r\n"),
                ("the data spills over its size", "2\r\nxx\(size)\r\n0\r\n\r\n"),
                ("the data ends at any two octets", "2\r\nxxyy0\r\n\r\n"),
                ("a prefix of the size", "0x2\r\nxx\r\n0\r\n\r\n"),
                ("a separator in the size", "0_2e\r\n\r\n"),
                ("a plus before the size", "+2\r\nxx\r\n0\r\n\r\n"),
                ("a minus before the size", "-2\r\nxx\r\n0\r\n\r\n"),
                ("a space before the size", " 2\r\nxx\r\n0\r\n\r\n"),
                ("a space behind the size", "2 \r\nxx\r\n0\r\n\r\n"),
                ("letters behind the size", "2xyz\r\nxx\r\n0\r\n\r\n"),
                ("a size that is no number", "ZZ\r\nxx\r\n0\r\n\r\n"),
                ("no size at all", "\r\n\r\n"),
                ("a size that wraps", "10000000000000002\r\nxx\r\n0\r\n\r\n"),
                ("a size that wraps in 32 bits", "100000002\r\nxx\r\n0\r\n\r\n"),
                ("a newline in a quoted value", "2;a=\"\r\nxx\r\n0\r\n\r\n"),
                ("a bare LF in a quoted value", "2;a=\"\n\"\r\nxx\r\n0\r\n\r\n"),
                ("a NUL in the extension", "2;\0\r\nxx\r\n0\r\n\r\n"),
                ("an empty line before the last chunk", "2\r\nxx\r\n\r\n0\r\n\r\n"),
                ("the body ends at CRLF LF", "2\r\nxx\r\n0\r\n\n"),
                ("the body ends at LF LF", "2\r\nxx\r\n0\n\n"),
                ("the body ends at CRLF and two letters", "2\r\nxx\r\n0\r\nXX"),
                ("a trailer ends at a bare LF", "2\r\nxx\r\n0\r\nX: y\n\r\n"),
                ("a trailer hides a CR", "2\r\nxx\r\n0\r\nX: y\r\r\n\r\n"),
                ("the last chunk has a prefix", "2\r\nxx\r\n0x0\r\n\r\n"),
                ("the last chunk is negative", "2\r\nxx\r\n-0\r\n\r\n"),
            ].map { name, coded in
                Case(
                    "Chunks: \(name)",
                    "RFC 9112 §7.1",
                    chunked(coded + hidden),
                    .finals([[400, 413]], .closed)
                )
            }

        // MARK: heads that are read in two ways

        private static let heads = rows(
            "RFC 9112 §2.2",
            .refused,
            [
                "Heads: a head that ends at LF LF":
                    "GET /hello.txt HTTP/1.1\r\nHost: plugboard.test\n\n\(hidden)",
                "Heads: a head that ends at CRLF LF":
                    "GET /hello.txt HTTP/1.1\r\nHost: plugboard.test\r\n\n\(hidden)",
                "Heads: a head that ends at CRLF CR and a letter":
                    "GET /hello.txt HTTP/1.1\r\nHost: plugboard.test\r\n\rX\(hidden)",
                "Heads: a value that spans LF LF":
                    "GET /hello.txt HTTP/1.1\r\nHost: plugboard.test\r\nX:\n\n\(hidden)",
                "Heads: a colon for the end of the head":
                    "GET /hello.txt HTTP/1.1\r\nHost: plugboard.test\r\n:\r\n\(hidden)",
                "Heads: a request line that ends at a bare LF":
                    "GET /hello.txt HTTP/1.1\n\(hidden)",
                "Heads: a request line for a field line":
                    "GET /hello.txt HTTP/1.1\r\nHost: plugboard.test\r\n\(hidden)",
                "Heads: a blank line for the end of the head":
                    "GET /hello.txt HTTP/1.1\r\nHost: plugboard.test\r\n \r\n\(hidden)",
                "Heads: two Hosts":
                    request("GET /hello.txt HTTP/1.1", host, "Host: other.test", body: hidden),
            ]
        )

        // MARK: bodies that nobody asked for

        private static let anyOne: Set = [
            200, 204, 301, 308, 400, 403, 404, 405, 413, 415, 422, 501,
        ]

        /// CL.0: the resource has no use for the body, which must be read or end the connection all the same.
        private static let unread =
            [
                ("GET", "/hello.txt"), ("GET", "/behaviors.json"), ("HEAD", "/hello.txt"),
                ("OPTIONS", "/hello.txt"), ("OPTIONS", "*"), ("POST", "/hello.txt"),
                ("POST", "/"), ("POST", "/no-such-thing"), ("PUT", "/behaviors.json"),
                ("DELETE", "/photos/42/like"), ("POST", "/actions/Ping"),
                ("POST", "/actions/NoSuchAction"), ("BREW", "/hello.txt"), ("TRACE", "/hello.txt"),
                ("GET", "/../outside.txt"), ("GET", "/photos/not-a-number"),
            ].flatMap { method, target in
                [
                    Case(
                        "CL.0: a body of \(method) \(target) is no request",
                        "RFC 9112 §6.3",
                        request(
                            "\(method) \(target) HTTP/1.1",
                            host,
                            "Content-Length: \(length)",
                            body: hidden
                        ),
                        .status(in: anyOne)
                    ),
                    Case(
                        "TE.0: a chunked body of \(method) \(target) is no request",
                        "RFC 9112 §6.3",
                        request(
                            "\(method) \(target) HTTP/1.1",
                            host,
                            "Transfer-Encoding: chunked",
                            body: "\(size)\r\n\(hidden)\r\n0\r\n\r\n"
                        ),
                        .status(in: anyOne)
                    ),
                ]
            }
            + rows(
                "RFC 9110 §10.1.1",
                .status(in: [200, 400, 413, 417], .either),
                [
                    "CL.0: a body of GET behind an expectation is no request":
                        get("/hello.txt", "Expect: 100-continue", "Content-Length: \(length)")
                        + Wire(octets(hidden)),
                    "CL.0: a body behind an unknown expectation is no request":
                        like("Expect: y 100-continue", "Content-Length: \(length)", body: hidden),
                    "CL.0: a body behind a hidden expectation is no request":
                        like(
                            "Expect: x\r\nExpect: 100-continue",
                            "Content-Length: \(length)",
                            body: hidden
                        ),
                ]
            ).map { $0.interims(0...1) }
            + rows(
                "RFC 9110 §7.6.1",
                .status(in: [400, 422]),
                [
                    "CL.0: a length named by Connection is a length":
                        like(
                            "Connection: Content-Length",
                            "Content-Length: \(length)",
                            body: hidden
                        )
                ]
            )

        // MARK: fields that only look like framing

        private static let lookalikes = rows(
            "RFC 9112 §6.3",
            .status(in: [400, 415, 422]),
            [
                "Transfer_Encoding is not Transfer-Encoding":
                    like(
                        "Content-Length: \(length + 5)",
                        "Transfer_Encoding: chunked",
                        body: endThenHidden
                    ),
                "X-Transfer-Encoding is not Transfer-Encoding":
                    like(
                        "Content-Length: \(length + 5)",
                        "X-Transfer-Encoding: chunked",
                        body: endThenHidden
                    ),
                "TE is not Transfer-Encoding, smuggled or not":
                    like("Content-Length: \(length + 5)", "TE: chunked", body: endThenHidden),
                "Content-Encoding is not Transfer-Encoding":
                    like(
                        "Content-Length: \(length + 5)",
                        "Content-Encoding: chunked",
                        body: endThenHidden
                    ),
                "Content_Length is not Content-Length, smuggled or not":
                    like(
                        "Content-Length: \(length)",
                        "Content_Length: 0",
                        body: hidden
                    ),
                "A body that reads like a request is a body":
                    like("Content-Length: \(length)", body: hidden),
            ]
        )
    }
}
