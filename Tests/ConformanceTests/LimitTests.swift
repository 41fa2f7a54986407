import Testing

extension Conformance {
    /// Limits: 16 KiB of head, 100 fields, 1 MiB of body.
    ///
    /// A request beyond a limit gets one response, with the limit's status. The connection closes.
    @Suite("Limits")
    struct LimitTests {
        @Test("limits", arguments: cases)
        func holds(_ row: Case) throws { try row.run() }

        static let cases = within + heads + targets + counts + bodies + chunkedBodies

        private static func some(_ count: Int) -> String { String(repeating: "a", count: count) }

        private static func fields(_ count: Int) -> Wire {
            request(["GET /hello.txt HTTP/1.1", host] + (1..<count).map { "X-\($0): y" })
        }

        private static let within =
            rows(
                "RFC 9110 §5.4",
                .status(200),
                [
                    "A value of 8 KiB is read": get("/hello.txt", "X-A: \(some(8192))"),
                    "A head of nearly 16 KiB is read": get("/hello.txt", "X-A: \(some(16_000))"),
                    "A head of nearly 16 KiB is read in pieces":
                        get("/hello.txt", "X-A: \(some(16_000))").paced(1000),
                    "A field name of 1 KiB is read": get("/hello.txt", "\(some(1024)): b"),
                    "A hundred fields are read": fields(100),
                ]
            )
            + rows(
                "RFC 9112 §3",
                .status(200),
                ["A request line of 8000 octets is read": get("/hello.txt?\(some(7970))")]
            )
            + rows(
                "RFC 9110 §15.5.14",
                .status(in: [200, 400, 422]),
                [
                    "A body of exactly 1 MiB is read":
                        like("Content-Length: 1048576", body: "{\"user\":\"\(some(1_048_565))\"}")
                ]
            )

        private static let tooLarge = Expectation.status(431, closes: true)

        private static let heads =
            rows(
                "RFC 6585 §5",
                tooLarge,
                [
                    "A value of 17 KiB is too large": get("/hello.txt", "X-A: \(some(17_000))"),
                    "A value of 64 KiB is too large": get("/hello.txt", "X-A: \(some(65_536))"),
                    "A value of 64 KiB is too large in pieces":
                        get("/hello.txt", "X-A: \(some(65_536))").paced(4096),
                    "A name of 17 KiB is too large": get("/hello.txt", "\(some(17_000)): b"),
                    "Ninety fields of 20 KiB together are too large":
                        request(
                            ["GET /hello.txt HTTP/1.1", host]
                                + (0..<90).map { "X-\($0): \(some(230))" }
                        ),
                    "A value that never ends is too large":
                        "GET /hello.txt HTTP/1.1\r\nHost: plugboard.test\r\nX-A: \(some(20_000))",
                    "A name that never ends is too large":
                        "GET /hello.txt HTTP/1.1\r\nHost: plugboard.test\r\n\(some(20_000))",
                ]
            )
            + rows(
                "RFC 9110 §5.4",
                .finals([[400, 431]], .closed),
                [
                    "Blanks before a value that never end are too large":
                        "GET /hello.txt HTTP/1.1\r\nX-A:\(String(repeating: " ", count: 20_000))",
                    "Empty lines that never end are no request":
                        Wire(stringLiteral: String(repeating: "\r\n", count: 10_000)),
                ]
            )

        private static let targets =
            rows(
                "RFC 9110 §15.5.15",
                .finals([[414, 431]], .closed),
                [
                    "A target of 17 KiB is too long": get("/\(some(17_000))"),
                    "A target of 64 KiB is too long": get("/\(some(65_536))"),
                    "A target that never ends is too long": "GET /\(some(20_000))",
                    "A query of 17 KiB is too long": get("/hello.txt?\(some(17_000))"),
                    "An absolute URI of 17 KiB is too long":
                        get("http://plugboard.test/\(some(17_000))"),
                ]
            )
            + rows(
                "RFC 9112 §3",
                .finals([[400, 414, 431, 501]], .closed),
                [
                    "A method of 17 KiB is too long": send(some(17_000), "/hello.txt"),
                    "A method that never ends is too long": Wire(stringLiteral: some(20_000)),
                    "A version that never ends is too long": "GET / HTTP/1.1\(some(20_000))",
                ]
            )

        private static let counts = rows(
            "RFC 6585 §5",
            tooLarge,
            [
                "A hundred and one fields are too many": fields(101),
                "A thousand fields are too many": fields(1000),
                "A hundred and one fields are too many, in pieces": fields(101).paced(100),
                "A hundred and one equal names are too many":
                    request(
                        ["GET /hello.txt HTTP/1.1", host] + Array(repeating: "X: y", count: 100)
                    ),
            ]
        )

        private static let tooMuch = Expectation.status(413, closes: true)

        private static let bodies = rows(
            "RFC 9110 §15.5.14",
            tooMuch,
            [
                "A length over 1 MiB is refused before the body": like("Content-Length: 1048577"),
                "A length of 1 TiB is refused before the body":
                    like("Content-Length: 1099511627776"),
                "A length over 1 MiB is refused where the body has begun":
                    like("Content-Length: 1048577", body: some(1000)),
                "A length over 1 MiB for an action is refused":
                    send("POST", "/actions/Ping", json, "Content-Length: 1048577"),
                // §9.6 of RFC 9112: a close over unread octets would be a reset, and the answer lost.
                "A client that sends it all the same can read the refusal":
                    like("Content-Length: 2097152", body: some(2_097_152)),
            ]
        )

        private static let chunk = "4000\r\n\(some(16_384))\r\n"

        private static let chunkedBodies = rows(
            "RFC 9110 §15.5.14",
            tooMuch,
            [
                "Chunks over 1 MiB together are refused":
                    chunked(String(repeating: chunk, count: 66) + "0\r\n\r\n"),
                "Chunks that never end are refused":
                    chunked(String(repeating: chunk, count: 72)),
                "One chunk over 1 MiB is refused":
                    chunked("120000\r\n\(some(0x12_0000))\r\n0\r\n\r\n"),
            ]
        )
    }
}
