import Testing

extension Conformance {
    @Suite("Expect")
    struct ExpectTests {
        @Test("Expect", arguments: cases)
        func holds(_ row: Case) throws { try row.run() }

        static let cases = continued + atOnce + without + refusedFirst + unknown

        private static let continued =
            rows(
                "RFC 9110 §10.1.1",
                .status(200),
                [
                    "A body is asked for by 100 and then read":
                        like("Expect: 100-continue", "Content-Length: 12")
                        + .awaitResponse + Wire(stringLiteral: ada),
                    "A chunked body is asked for by 100 and then read":
                        like("Expect: 100-continue", "Transfer-Encoding: chunked")
                        + .awaitResponse + "c\r\n\(ada)\r\n0\r\n\r\n",
                    "The expectation has no case":
                        like("EXPECT: 100-Continue", "Content-Length: 12")
                        + .awaitResponse + Wire(stringLiteral: ada),
                    "The head of an expectation may come byte by byte":
                        like("Expect: 100-continue", "Content-Length: 12").paced(1)
                        + .awaitResponse + Wire(stringLiteral: ada),
                    "The expected body may come byte by byte":
                        like("Expect: 100-continue", "Content-Length: 12")
                        + .awaitResponse + Wire(stringLiteral: ada).paced(1),
                    "An empty member beside the expectation is ignored":
                        like("Expect: 100-continue,", "Content-Length: 12")
                        + .awaitResponse + Wire(stringLiteral: ada),
                ]
            ).map { $0.interims(1...1) }
            + [
                Case(
                    "Two expectations in turn are continued in turn",
                    "RFC 9110 §10.1.1",
                    like("Expect: 100-continue", "Content-Length: 12")
                        + .awaitResponse + Wire(stringLiteral: ada) + .awaitResponse
                        + like("Expect: 100-continue", "Content-Length: 12")
                        + .awaitResponse + Wire(stringLiteral: ada),
                    .statuses([200, 200])
                ).interims(2...2),
                Case(
                    "100 waits behind the answer of the request before",
                    "RFC 9112 §9.3.2",
                    Wire(
                        get("/hello.txt").bytes
                            + like("Expect: 100-continue", "Content-Length: 12").bytes
                    ) + .awaitResponse + .awaitResponse + Wire(stringLiteral: ada),
                    .statuses([200, 200])
                ).interims(1...1),
            ]

        private static let atOnce = rows(
            "RFC 9110 §10.1.1",
            .status(200),
            [
                "A body that does not wait is read":
                    like("Expect: 100-continue", "Content-Length: 12", body: ada),
                "A chunked body that does not wait is read":
                    like(
                        "Expect: 100-continue",
                        "Transfer-Encoding: chunked",
                        body: "c\r\n\(ada)\r\n0\r\n\r\n"
                    ),
                "A body that does not wait is read byte by byte":
                    like("Expect: 100-continue", "Content-Length: 12", body: ada).paced(1),
            ]
        ).map { $0.interims(0...1) }

        private static let without =
            rows(
                "RFC 9110 §10.1.1",
                .status(200),
                [
                    "An expectation without body asks nothing":
                        get("/hello.txt", "Expect: 100-continue"),
                    "An expectation with a length of zero asks nothing":
                        like("Expect: 100-continue", "Content-Length: 0"),
                ]
            ).map { $0.interims(0...1) }
            + rows(
                "RFC 9110 §10.1.1",
                .status(200, closes: true),
                [
                    "HTTP/1.0 is never told 100":
                        request(
                            "POST /photos/42/like HTTP/1.0",
                            json,
                            "Expect: 100-continue",
                            "Content-Length: 12"
                        ) + Wire(stringLiteral: ada),
                    "HTTP/1.0 without body is never told 100":
                        request("GET /hello.txt HTTP/1.0", "Expect: 100-continue"),
                ]
            )

        private static let refusedFirst =
            rows(
                "RFC 9110 §10.1.1",
                .status(413, closes: true),
                [
                    "A body that is too large is refused and not asked for":
                        like("Expect: 100-continue", "Content-Length: 1048577")
                ]
            )
            + rows(
                "RFC 9110 §10.1.1",
                .status(400, closes: true),
                [
                    "A time that is none is refused and the body not asked for":
                        like("Expect: 100-continue", "Content-Length: 12", "Request-Timeout: x"),
                    "A key that is none is refused and the body not asked for":
                        like("Expect: 100-continue", "Content-Length: 12", "Idempotency-Key: a b"),
                ]
            )
            + rows(
                "RFC 9112 §6.3",
                .refused,
                [
                    "A body of an invalid length is refused and not asked for":
                        like("Expect: 100-continue", "Content-Length: 1x"),
                    "A length beside chunked is refused and not asked for":
                        like(
                            "Expect: 100-continue",
                            "Content-Length: 12",
                            "Transfer-Encoding: chunked"
                        ),
                    "A request without Host is refused and its body not asked for":
                        request(
                            "POST /photos/42/like HTTP/1.1",
                            "Expect: 100-continue",
                            "Content-Length: 12"
                        ),
                ]
            )
            // The server may ask for the body that it discards, or answer first: in step both ways.
            + rows(
                "RFC 9110 §10.1.1",
                .status(in: [404, 405]),
                [
                    "A body for nothing is refused, before it or behind it":
                        send("POST", "/no-such-thing", "Expect: 100-continue", "Content-Length: 12")
                        + .awaitResponse + .unlessClosing(ada),
                    "A body for a file is refused, before it or behind it":
                        send("POST", "/hello.txt", "Expect: 100-continue", "Content-Length: 12")
                        + .awaitResponse + .unlessClosing(ada),
                    "A chunked body for nothing is refused, before it or behind it":
                        send(
                            "POST",
                            "/no-such-thing",
                            "Expect: 100-continue",
                            "Transfer-Encoding: chunked"
                        ) + .awaitResponse + .unlessClosing("c\r\n\(ada)\r\n0\r\n\r\n"),
                ]
            ).map { $0.interims(0...1) }

        private static let unknown =
            rows(
                "RFC 9110 §15.5.18",
                .status(in: [417]),
                [
                    "An unknown expectation fails": get("/hello.txt", "Expect: magic"),
                    "An expectation that starts like 100-continue fails":
                        get("/hello.txt", "Expect: 100-continued"),
                    "An expectation with a value fails": get("/hello.txt", "Expect: x=y"),
                    "An unknown expectation behind 100-continue fails":
                        get("/hello.txt", "Expect: 100-continue, magic"),
                    "An unknown expectation on a second line fails":
                        get("/hello.txt", "Expect: 100-continue", "Expect: magic"),
                    "An unknown expectation with a body fails and stays in step":
                        like("Expect: magic", "Content-Length: 12", body: ada),
                    "Another status is no expectation": get("/hello.txt", "Expect: 200-ok"),
                ]
            )
            + rows(
                "RFC 9110 §10.1.1",
                .status(in: [200, 400, 417]),
                [
                    "100-continue with a parameter is known or not":
                        get("/hello.txt", "Expect: 100-continue;x=y"),
                    "An empty expectation is none or fails": get("/hello.txt", "Expect:"),
                    "An unknown expectation of HTTP/1.0 is ignored or fails":
                        request("GET /hello.txt HTTP/1.0", "Expect: magic"),
                ]
            ).map { $0.interims(0...1) }
    }
}
