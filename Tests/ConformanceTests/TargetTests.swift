import Testing

extension Conformance {
    @Suite("Request target")
    struct TargetTests {
        @Test("the request target", arguments: cases)
        func holds(_ row: Case) throws { try row.run() }

        static let cases = origin + absolute + forms + characters + traversal

        private static let isHello: Case.Check = { answers in
            answers.first?.body == Fixtures.hello ? nil : "it is not the body of /hello.txt"
        }

        // MARK: origin-form

        private static let origin =
            rows(
                "RFC 9112 §3.2.1",
                .status(200),
                [
                    "A query is no part of the path": get("/hello.txt?a=b&c=d"),
                    "An empty query is no part of the path": get("/hello.txt?"),
                    "A query may contain slashes and question marks": get("/hello.txt?/../?x=/y"),
                    "A query may contain every sub-delimiter": get("/hello.txt?!$&'()*+,;=:@-._~"),
                    "A query may be percent-encoded": get("/hello.txt?x=%00%0D%0A%ff%C3%A9"),
                ],
                check: isHello
            )
            + rows(
                "RFC 3986 §2.3",
                .status(200),
                [
                    "An encoded letter is that letter": get("/%68ello.txt"),
                    "An encoded dot is a dot": get("/hello%2Etxt"),
                    "Hexadecimal digits have no case": get("/hello%2etxt"),
                ],
                check: isHello
            )
            + rows(
                "RFC 3986 §2.1",
                .status(200),
                ["An encoded space names a file with a space": get("/sub/nested%20file.txt")]
            )
            + rows(
                "RFC 3986 §3.3",
                .status(in: [200, 301, 308, 400, 404]),
                [
                    "An empty first segment is no authority": get("//hello.txt"),
                    "A slash behind a file is not that file or leads to it": get("/hello.txt/"),
                    "An empty segment inside is no crash": get("/sub//nested%20file.txt"),
                    "A folder without an index is no listing": get("/sub/"),
                    "A path parameter is no crash": get("/hello.txt;v=1"),
                ]
            )

        // MARK: absolute-form

        private static let unsecured =
            rows(
                "RFC 9110 §7.4",
                .statuses([421], closes: true),
                [
                    "An absolute https URI is not answered on a plain connection":
                        get("https://plugboard.test/hello.txt"),
                    "An absolute HTTPS URI in capitals is not either":
                        get("HTTPS://plugboard.test/hello.txt"),
                ]
            )

        private static let absolute =
            rows(
                "RFC 9112 §3.2.2",
                .status(200),
                [
                    "An absolute http URI is accepted": get("http://plugboard.test/hello.txt"),
                    "A scheme has no case": get("HTTP://plugboard.test/hello.txt"),
                    "An absolute URI with a port is accepted":
                        get("http://plugboard.test:8080/hello.txt"),
                    "An absolute URI with a query is accepted":
                        get("http://plugboard.test/hello.txt?a=b"),
                    "An absolute URI with an IPv6 address is accepted":
                        get("http://[::1]:8080/hello.txt"),
                    "The authority of an absolute URI wins over Host":
                        get("http://other.test/hello.txt"),
                    "An absolute URI on HTTP/1.0 keep-alive is accepted":
                        request(
                            "GET http://plugboard.test/hello.txt HTTP/1.0",
                            "Connection: keep-alive"
                        ),
                    "An absolute URI that comes byte by byte is accepted":
                        get("http://plugboard.test/hello.txt").paced(1),
                ],
                check: isHello
            )
            + rows(
                "RFC 9110 §4.2.3",
                .status(200),
                [
                    "An absolute URI without path is the root": get("http://plugboard.test"),
                    "An absolute URI with a query and no path is the root":
                        get("http://plugboard.test?a=b"),
                ]
            )
            + rows(
                "RFC 9112 §3.2",
                .refused,
                [
                    "An absolute URI does not replace Host":
                        request("GET http://plugboard.test/hello.txt HTTP/1.1"),
                    "An absolute URI does not excuse two Hosts":
                        get("http://plugboard.test/hello.txt", "Host: plugboard.test"),
                    "An absolute URI does not excuse an invalid Host":
                        request("GET http://plugboard.test/hello.txt HTTP/1.1", "Host: a/b"),
                ]
            )
            + rows(
                "RFC 9110 §4.2",
                .refused,
                [
                    "An http URI with an empty host is refused": get("http:///hello.txt"),
                    "An http URI with a port and no host is refused": get("http://:80/hello.txt"),
                    "An http URI with user information is refused":
                        get("http://user:word@plugboard.test/hello.txt"),
                    "An http URI with one slash is refused": get("http:/hello.txt"),
                    "An http URI without slashes is refused": get("http:hello.txt"),
                    "An http URI whose port is no number is refused":
                        get("http://plugboard.test:abc/hello.txt"),
                    "An http URI whose bracket stays open is refused": get("http://[::1/hello.txt"),
                    "An http URI whose address is none is refused": get("http://[zz]/hello.txt"),
                    "An http URI with a fragment is refused":
                        get("http://plugboard.test/hello.txt#top"),
                    "An http URI with backslashes is refused":
                        get("http:\\\\plugboard.test\\hello.txt"),
                    "An http URI with an octet above ASCII in its host is refused":
                        get("http://pl\u{FC}gboard.test/hello.txt"),
                ]
            )
            + rows(
                "RFC 9110 §7.4",
                .status(in: [400, 404, 421], .either),
                [
                    "A URI of another scheme is not served": get("ftp://plugboard.test/hello.txt"),
                    "A URN is not served": get("urn:plugboard:hello"),
                    "A file URI is not served": get("file:///etc/passwd"),
                ]
            )

        // MARK: forms and methods

        private static let forms =
            rows(
                "RFC 9112 §3.2.4",
                .refused,
                [
                    "The asterisk is for OPTIONS, not GET": get("*"),
                    "The asterisk is for OPTIONS, not HEAD": send("HEAD", "*"),
                    "The asterisk is for OPTIONS, not POST": send("POST", "*", "Content-Length: 0"),
                    "Two asterisks are no target": send("OPTIONS", "**"),
                    "An asterisk with a path is no target": send("OPTIONS", "*/hello.txt"),
                    "An asterisk with a query is no target": send("OPTIONS", "*?a"),
                ]
            )
            + rows(
                "RFC 9112 §3.2.3",
                .refused,
                [
                    "An authority is for CONNECT, not GET": get("plugboard.test:80"),
                    "An authority is for CONNECT, not OPTIONS": send(
                        "OPTIONS",
                        "plugboard.test:80"
                    ),
                ]
            )
            + rows(
                "RFC 9112 §3.2",
                .refused,
                [
                    "A path without slash is refused": get("hello.txt"),
                    "A relative path is refused": get("../hello.txt"),
                    "A dot is no target": get("."),
                    "A query alone is no target": get("?a=b"),
                    "A fragment alone is no target": get("#top"),
                    "A backslash for the first slash is refused": get("\\hello.txt"),
                    "An encoded first slash is refused": get("%2Fhello.txt"),
                    "A semicolon is no target": get(";"),
                ]
            )

        // MARK: characters

        private static let characters =
            Array("\"<>\\`{}").map { character in
                Case(
                    "A raw \(character) in the path is refused",
                    "RFC 3986 §3.3",
                    get("/hel\(character)lo.txt"),
                    .refused
                )
            }
            // RFC 3986 §3.3 forbids these, and browsers send them (WHATWG URL, path percent-encode set).
            + rows(
                "RFC 3986 §3.3",
                .status(404),
                [
                    "Raw brackets in the path name no file": get("/hel[lo].txt"),
                    "A raw bar in the path names no file": get("/hel|lo.txt"),
                    "A raw circumflex in the path names no file": get("/hel^lo.txt"),
                ]
            )
            + rows(
                "RFC 3986 §3.3",
                .refused,
                [
                    "A fragment is refused": get("/hello.txt#top"),
                    "An empty fragment is refused": get("/hello.txt#"),
                    "A fragment behind a query is refused": get("/hello.txt?a=b#top"),
                    "A raw octet above ASCII in the path is refused": get("/h\u{E9}llo.txt"),
                    "Raw UTF-8 in the path is refused": get("/h\u{C3}\u{A9}llo.txt"),
                    "A NUL in the path is refused": get("/hello.txt\0"),
                    "A control character in the path is refused": get("/hello\u{01}.txt"),
                    "An escape in the path is refused": get("/hello\u{1B}[0m.txt"),
                    "A DEL in the path is refused": get("/hello\u{7F}.txt"),
                    "A tab in the path is refused": get("/hello\t.txt"),
                    "A NUL in the query is refused": get("/hello.txt?a=\0"),
                    "A DEL in the query is refused": get("/hello.txt?a=\u{7F}"),
                    "A tab in the query is refused": get("/hello.txt?a=\tb"),
                ]
            )
            + rows(
                "RFC 3986 §2.1",
                .refused,
                [
                    "A percent sign before letters that are no digits is refused": get("/%zz"),
                    "A percent sign before one digit is refused": get("/hello.txt%4"),
                    "A percent sign at the end is refused": get("/hello.txt%"),
                    "A percent sign before a sign is refused": get("/%+1hello.txt"),
                    "A percent sign before a prefix is refused": get("/%0xhello.txt"),
                    "A percent sign before a percent sign is refused": get("/%%41"),
                    "A percent sign before u is refused": get("/%u0041"),
                    "A percent sign before digits of another script is refused":
                        get("/%\u{D9}\u{A1}\u{D9}\u{A1}"),
                ]
            )
            + rows(
                "RFC 3986 §3.3",
                .status(in: [400, 404]),
                [
                    "An encoded NUL names no file": get("/hello.txt%00"),
                    "An encoded NUL hides no suffix": get("/hello.txt%00.png"),
                    "An encoded CRLF names no file": get("/hello%0D%0AX-Injected:%20yes"),
                    "An encoded slash is no slash": get("/sub%2Fnested%20file.txt"),
                    "An encoded question mark is no query": get("/hello.txt%3Fa=b"),
                    "An encoded percent sign is decoded once": get("/hello%252Etxt"),
                    "An overlong encoding of a letter is no letter": get("/%C1%A8ello.txt"),
                    "An encoded surrogate names no file": get("/%ED%A0%80"),
                    "An encoded octet that is no UTF-8 names no file": get("/%FF"),
                ],
                check: { answers in
                    answers.contains { $0["X-Injected"] != nil } ? "a field was injected" : nil
                }
            )
            + rows(
                "RFC 3986 §3.4",
                .servedOrRefused(),
                [
                    "A raw quote in the query is served or refused": get("/hello.txt?a=\"b\""),
                    "A raw octet above ASCII in the query is served or refused":
                        get("/hello.txt?a=\u{E9}"),
                ]
            )
            // RFC 3986 §3.4 forbids these, and browsers send them (WHATWG URL, query state).
            + rows(
                "RFC 3986 §3.4",
                .status(200),
                [
                    "Raw brackets in the query are served": get("/hello.txt?a[]=b"),
                    "Raw braces in the query are served": get("/hello.txt?{a}"),
                    "A raw bar in the query is served": get("/hello.txt?a|b"),
                    "A raw backslash in the query is served": get("/hello.txt?a\\b"),
                    "A raw circumflex and backquote in the query are served":
                        get("/hello.txt?a^`b"),
                    "A bad percent sign in the query is served": get("/hello.txt?a=%zz"),
                ]
            )

        // MARK: traversal

        private static let traversal =
            rows(
                "RFC 3986 §5.2.4",
                .status(in: [400, 403, 404]),
                [
                    "A path above the root is not served": get("/../outside.txt"),
                    "A path far above the root is not served": get("/../../../../etc/passwd"),
                    "A path that climbs from inside is not served": get("/sub/../../outside.txt"),
                    "Encoded dots above the root are not served": get("/%2e%2e/outside.txt"),
                    "Half encoded dots above the root are not served": get("/.%2E/outside.txt"),
                    "An encoded slash above the root is not served": get("/..%2Foutside.txt"),
                    "An encoded climb above the root is not served": get("/%2e%2e%2foutside.txt"),
                    "An encoded backslash above the root is not served": get("/..%5Coutside.txt"),
                    "A doubly encoded climb is not served": get("/%252e%252e%252foutside.txt"),
                    "An overlong encoding of a dot is no dot":
                        get("/%C0%AE%C0%AE%C0%AFoutside.txt"),
                    "Dots with a path parameter climb nowhere": get("/..;/outside.txt"),
                    "Four dots climb nowhere": get("/....//outside.txt"),
                    "An absolute URI does not climb":
                        get("http://plugboard.test/../outside.txt"),
                    "A link out of the public folder is not followed": get("/link-out.txt"),
                    "A path above the root in an absolute path is not served":
                        get("//../outside.txt"),
                    "A device is not served": get("//dev/null"),
                ]
            )
            + rows(
                "RFC 3986 §5.2.4",
                .status(in: [200, 301, 308, 400, 404]),
                [
                    "A dot segment is removed or refused": get("/./hello.txt"),
                    "Dots that stay inside are removed or refused": get("/sub/../hello.txt"),
                    "Encoded dots that stay inside are removed or refused":
                        get("/sub/%2e%2e/hello.txt"),
                ]
            )
    }
}
