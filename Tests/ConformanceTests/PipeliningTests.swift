import Testing

extension Conformance {
    @Suite("Pipelining")
    struct PipeliningTests {
        @Test("pipelining", arguments: cases)
        func holds(_ row: Case) throws { try row.run() }

        static let cases = inOrder + heads + bodies + ends

        private static func sequence(_ wires: Wire...) -> Wire {
            Wire(wires.flatMap(\.bytes))
        }

        private static let inOrder =
            rows(
                "RFC 9112 §9.3.2",
                .statuses([200, 404, 200]),
                [
                    "Three requests in one write are answered in order":
                        sequence(get("/hello.txt"), get("/no-such-thing"), get("/range.bin")),
                    "Three requests byte by byte are answered in order":
                        sequence(get("/hello.txt"), get("/no-such-thing"), get("/range.bin"))
                        .paced(1),
                    "Three requests in pieces of 50 bytes are answered in order":
                        sequence(get("/hello.txt"), get("/no-such-thing"), get("/range.bin"))
                        .paced(50),
                    "Three requests in a write each are answered in order":
                        get("/hello.txt") + get("/no-such-thing") + get("/range.bin"),
                    "Three requests, each behind the answer before, are answered":
                        get("/hello.txt") + .awaitResponse + get("/no-such-thing")
                        + .awaitResponse + get("/range.bin"),
                ],
                check: { answers in
                    answers[0].body == Fixtures.hello && answers[2].body == Fixtures.range
                        ? nil : "the answers are not in the order of the requests"
                }
            )
            + rows(
                "RFC 9112 §9.3.2",
                .statuses([200, 200, 200]),
                [
                    "A slow answer comes before a quick one":
                        sequence(
                            like("Content-Length: 12", body: ada),
                            get("/hello.txt"),
                            send("POST", "/actions/Ping", "Content-Length: 0")
                        ),
                    "A slow answer comes before a quick one, byte by byte":
                        sequence(
                            like("Content-Length: 12", body: ada),
                            get("/hello.txt"),
                            send("POST", "/actions/Ping", "Content-Length: 0")
                        ).paced(1),
                ],
                check: { answers in
                    answers[0].text.contains("\"likes\"") && answers[1].body == Fixtures.hello
                        ? nil : "the answers are not in the order of the requests"
                }
            )
            + [
                Case(
                    "A hundred requests in one write are answered a hundred times",
                    "RFC 9112 §9.3.2",
                    Wire((0..<100).flatMap { _ in get("/hello.txt").bytes }),
                    .statuses(Array(repeating: 200, count: 100))
                ),
                Case(
                    "Files and actions by turns are answered by turns",
                    "RFC 9112 §9.3.2",
                    Wire(
                        (0..<20).flatMap { index in
                            (index.isMultiple(of: 2) ? like() : get("/hello.txt")).bytes
                        }
                    ),
                    .statuses(Array(repeating: 200, count: 20))
                ).checking { answers in
                    let isHello = answers.map { $0.body == Fixtures.hello }
                    return isHello == (0..<20).map { !$0.isMultiple(of: 2) }
                        ? nil : "the answers are not in the order of the requests"
                },
            ]

        private static let heads = [
            Case(
                "A HEAD between two GETs leaves no body to the second",
                "RFC 9112 §6.3",
                sequence(get("/hello.txt"), send("HEAD", "/range.bin"), get("/hello.txt")),
                .statuses([200, 200, 200])
            ).heads(1),
            Case(
                "Three HEADs leave no bodies",
                "RFC 9112 §6.3",
                sequence(
                    send("HEAD", "/hello.txt"),
                    send("HEAD", "/no-such-thing"),
                    send("HEAD", "/photos")
                ),
                .statuses([200, 404, 200])
            ).heads(0, 1, 2),
            Case(
                "OPTIONS between two GETs is in step",
                "RFC 9112 §6.3",
                sequence(get("/hello.txt"), send("OPTIONS", "/hello.txt"), get("/hello.txt")),
                .finals([[200], [200, 204], [200]], .open)
            ),
        ]

        private static let bodies =
            rows(
                "RFC 9112 §6.3",
                .statuses([200, 200]),
                [
                    "A request behind a body of a told length is answered":
                        sequence(like("Content-Length: 12", body: ada), get("/hello.txt")),
                    "A request behind a chunked body is answered":
                        sequence(chunked("c\r\n\(ada)\r\n0\r\n\r\n"), get("/hello.txt")),
                    "A request behind a trailer is answered":
                        sequence(chunked("c\r\n\(ada)\r\n0\r\nX: y\r\n\r\n"), get("/hello.txt")),
                    "A request behind an empty chunked body is answered":
                        sequence(chunked("0\r\n\r\n"), get("/hello.txt")),
                    "A request behind a length of zero is answered":
                        sequence(like("Content-Length: 0"), get("/hello.txt")),
                    "A request behind a POST without length is answered":
                        sequence(like(), get("/hello.txt")),
                    "A request behind a chunked body is answered byte by byte":
                        sequence(chunked("c\r\n\(ada)\r\n0\r\n\r\n"), get("/hello.txt")).paced(1),
                    "Two chunked bodies in one write are two requests":
                        sequence(
                            chunked("c\r\n\(ada)\r\n0\r\n\r\n"),
                            chunked("c\r\n\(ada)\r\n0\r\n\r\n")
                        ),
                ]
            )
            + rows(
                "RFC 9112 §2.2",
                .statuses([200, 200]),
                [
                    // Old clients sent it behind a body; a server is to ignore at least one.
                    "An empty line between two requests is ignored":
                        sequence(
                            like("Content-Length: 12", body: ada),
                            "\r\n",
                            get("/hello.txt")
                        )
                ]
            )
            + rows(
                "RFC 9110 §15.5.1",
                .finals([[400, 422], [200]], .open),
                [
                    "A body that is no JSON does not end the connection":
                        sequence(like("Content-Length: 5", body: "hello"), get("/hello.txt")),
                    "A body that has the wrong type does not end the connection":
                        sequence(
                            like("Content-Length: 10", body: "{\"user\":5}"),
                            get("/hello.txt")
                        ),
                ]
            )

        private static let ends =
            rows(
                "RFC 9112 §9.3.2",
                .statuses([200, 400], closes: true),
                [
                    "A bad request behind a good one is refused in its turn":
                        sequence(get("/hello.txt"), get("/hello.txt", "X : y")),
                    "A bad request behind a good one is refused byte by byte":
                        sequence(get("/hello.txt"), get("/hello.txt", "X : y")).paced(1),
                    "Octets behind a body of a told length are a bad request":
                        sequence(like("Content-Length: 12", body: ada), "xx\r\n\r\n"),
                    "A bad request behind a slow one is refused in its turn":
                        sequence(like(), like("Content-Length: +0")),
                    "What follows a bad request is not read":
                        sequence(get("/hello.txt"), get("/hello.txt", "X : y"), get("/hello.txt")),
                ]
            )
            + rows(
                "RFC 9112 §9.3.2",
                .statuses([200, 505], closes: true),
                [
                    "A version that is not served is refused in its turn":
                        sequence(
                            get("/hello.txt"),
                            "GET / HTTP/2.0\r\nHost: plugboard.test\r\n\r\n"
                        )
                ]
            )
            + rows(
                "RFC 9112 §9.6",
                .status(200, closes: true),
                [
                    "What follows a close is not answered":
                        sequence(get("/hello.txt", "Connection: close"), get("/smuggled")),
                    "What follows a close is not even refused":
                        sequence(get("/hello.txt", "Connection: close"), "rubbish\r\n\r\n"),
                    "What follows a slow close is not answered":
                        sequence(like("Connection: close"), get("/smuggled")),
                    "What follows HTTP/1.0 is not answered":
                        sequence(request("GET /hello.txt HTTP/1.0"), get("/smuggled")),
                ]
            )
            + rows(
                "RFC 9112 §9.6",
                .statuses([200, 200], closes: true),
                [
                    "A close in the second request ends behind its answer":
                        sequence(
                            get("/hello.txt"),
                            get("/hello.txt", "Connection: close"),
                            get("/smuggled")
                        )
                ]
            )
    }
}
