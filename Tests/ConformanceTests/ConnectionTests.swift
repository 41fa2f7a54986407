import Testing

extension Conformance {
    @Suite("Connection")
    struct ConnectionTests {
        @Test("the connection", arguments: cases)
        func holds(_ row: Case) throws { try row.run() }

        static let cases = persistent + closing + version10 + upgrades + ends

        private static let persistent =
            rows(
                "RFC 9112 §9.3",
                .status(200),
                [
                    "HTTP/1.1 persists": get("/hello.txt"),
                    "HTTP/1.1 with keep-alive persists":
                        get("/hello.txt", "Connection: keep-alive"),
                    "An unknown option closes nothing": get("/hello.txt", "Connection: foo"),
                    "An option that starts with close closes nothing":
                        get("/hello.txt", "Connection: closed"),
                    "An option that ends in close closes nothing":
                        get("/hello.txt", "Connection: not-close"),
                    "An empty Connection closes nothing": get("/hello.txt", "Connection:"),
                    "Empty options close nothing": get("/hello.txt", "Connection: , ,"),
                    "Proxy-Connection closes nothing":
                        get("/hello.txt", "Proxy-Connection: close"),
                    "Keep-Alive closes nothing": get("/hello.txt", "Keep-Alive: timeout=0, max=0"),
                    "A field named by Connection closes nothing":
                        get("/hello.txt", "Connection: X-A", "X-A: close"),
                    "HTTP/1.2 persists": request("GET /hello.txt HTTP/1.2", host),
                    "A POST persists": like("Content-Length: 12", body: ada),
                    "An action persists": send("POST", "/actions/Ping"),
                ]
            )
            + rows(
                "RFC 9112 §9.3",
                .status(404),
                ["A 404 persists": get("/no-such-thing")]
            )

        private static let closing = rows(
            "RFC 9112 §9.6",
            .status(200, closes: true),
            [
                "Connection: close closes": get("/hello.txt", "Connection: close"),
                "An option has no case": get("/hello.txt", "Connection: CLOSE"),
                "The field name has no case": get("/hello.txt", "cONNECTION: Close"),
                "Close behind another option closes": get("/hello.txt", "Connection: foo, close"),
                "Close before another option closes": get("/hello.txt", "Connection: close, foo"),
                "Close without space closes": get("/hello.txt", "Connection: foo,close,bar"),
                "Close among empty options closes": get("/hello.txt", "Connection: , close ,"),
                "Close behind a tab closes": get("/hello.txt", "Connection: foo,\tclose"),
                "Close wins over keep-alive": get("/hello.txt", "Connection: keep-alive, close"),
                "Close wins over keep-alive behind it":
                    get("/hello.txt", "Connection: close, keep-alive"),
                "Close on a second line closes":
                    get("/hello.txt", "Connection: keep-alive", "Connection: close"),
                "Close on a first line closes":
                    get("/hello.txt", "Connection: close", "Connection: keep-alive"),
                "Close that comes byte by byte closes":
                    get("/hello.txt", "Connection: close").paced(1),
                "Close on a POST closes behind its answer":
                    like("Connection: close", "Content-Length: 12", body: ada),
                "Close on a chunked POST closes behind its answer":
                    like(
                        "Connection: close",
                        "Transfer-Encoding: chunked",
                        body: "c\r\n\(ada)\r\n0\r\n\r\n"
                    ),
                "Close on an action closes behind its answer":
                    send("POST", "/actions/Ping", "Connection: close"),
                "Close on HEAD closes": send("HEAD", "/hello.txt", "Connection: close"),
                "Close on HTTP/1.2 closes":
                    request("GET /hello.txt HTTP/1.2", host, "Connection: close"),
            ]
        )

        private static func old(_ fields: String...) -> Wire {
            request(["GET /hello.txt HTTP/1.0"] + fields)
        }

        private static let version10 =
            rows(
                "RFC 9112 §9.3",
                .status(200, closes: true),
                [
                    "HTTP/1.0 closes": old(),
                    "HTTP/1.0 with close closes": old("Connection: close"),
                    "HTTP/1.0 with an unknown option closes": old("Connection: foo"),
                    "HTTP/1.0 with close and keep-alive closes":
                        old("Connection: keep-alive, close"),
                    "HTTP/1.0 with Keep-Alive only closes": old("Keep-Alive: timeout=5"),
                    "HTTP/1.0 with an option that starts like keep-alive closes":
                        old("Connection: keep-alive-not"),
                    "HTTP/1.0 for an action closes":
                        request("POST /actions/Ping HTTP/1.0", "Content-Length: 0"),
                    "HTTP/1.0 for the photos closes": request("GET /photos HTTP/1.0"),
                ]
            )
            + rows(
                "RFC 9112 §9.3",
                .status(200),
                [
                    "HTTP/1.0 with keep-alive persists": old("Connection: keep-alive"),
                    "HTTP/1.0 with Keep-Alive persists": old("Connection: Keep-Alive"),
                    "HTTP/1.0 with keep-alive in a list persists":
                        old("Connection: foo, keep-alive"),
                    "HTTP/1.0 with keep-alive persists for an action":
                        request(
                            "POST /actions/Ping HTTP/1.0",
                            "Connection: keep-alive",
                            "Content-Length: 0"
                        ),
                ],
                check: { answers in
                    answers[0].saysKeepAlive ? nil : "HTTP/1.0 is not told keep-alive"
                }
            )
            + rows(
                "RFC 9112 §9.3",
                .statuses([200, 200], closes: true),
                [
                    "HTTP/1.0 with keep-alive ends when its second request has none":
                        old("Connection: keep-alive") + old()
                ]
            )

        private static let h2c = ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c"]

        private static let upgrades =
            rows(
                "RFC 9110 §7.8",
                .status(200),
                [
                    "An upgrade to an unknown protocol is ignored":
                        get("/hello.txt", "Connection: upgrade", "Upgrade: made-up/1"),
                    "An upgrade that Connection does not name is ignored":
                        get("/hello.txt", "Upgrade: websocket"),
                    "An upgrade to WebSocket is ignored where nobody speaks it":
                        get(
                            "/hello.txt",
                            "Connection: Upgrade",
                            "Upgrade: websocket",
                            "Sec-WebSocket-Version: 13",
                            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
                        ),
                ]
            )
            + rows(
                "RFC 7540 §3.2.1",
                .status(200),
                [
                    "An upgrade to h2c without settings is ignored":
                        get("/hello.txt", "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c"),
                    "An upgrade to h2c with settings of no whole entry is ignored":
                        get("/hello.txt", h2c[0], h2c[1], "HTTP2-Settings: AAMAAABkAAQAAP_"),
                    "An upgrade to h2c with settings that are no base64url is ignored":
                        get("/hello.txt", h2c[0], h2c[1], "HTTP2-Settings: AAMAAABkAAQAAP//"),
                    "An upgrade to h2c with two settings is ignored":
                        get(
                            "/hello.txt",
                            h2c[0],
                            h2c[1],
                            "HTTP2-Settings: AAMAAABk",
                            "HTTP2-Settings: AAMAAABk"
                        ),
                    "An upgrade to h2c whose settings Connection does not name is ignored":
                        get(
                            "/hello.txt",
                            "Connection: Upgrade",
                            "Upgrade: h2c",
                            "HTTP2-Settings: AAMAAABkAAQAAP__"
                        ),
                    "An upgrade to h2, which needs TLS, is ignored":
                        get(
                            "/hello.txt",
                            "Connection: Upgrade, HTTP2-Settings",
                            "Upgrade: h2",
                            "HTTP2-Settings: AAMAAABkAAQAAP__"
                        ),
                ]
            )
            + rows(
                "RFC 9110 §7.8",
                .status(200, closes: true),
                [
                    "An upgrade of HTTP/1.0 is ignored":
                        old("Connection: upgrade", "Upgrade: websocket")
                ]
            )

        private static let ends = rows(
            "RFC 9112 §9.6",
            .oneOf([.status(200, closes: true), .closesWithoutResponse]),
            [
                "A client that has said all is answered, or the connection ends":
                    get("/hello.txt") + .halfClose
            ]
        )
    }
}
