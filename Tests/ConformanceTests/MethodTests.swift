import Testing

extension Conformance {
    @Suite("Methods")
    struct MethodTests {
        @Test("methods", arguments: cases)
        func holds(_ row: Case) throws { try row.run() }

        static let cases = head + options + unknown + notAllowed + neverHere

        // MARK: HEAD

        private static let head =
            ["/hello.txt", "/behaviors.json", "/", "/photos", "/photos/42", "/no-such-thing"].map {
                path in
                Case(
                    "HEAD has the fields of GET and no body [\(path)]",
                    "RFC 9110 §9.3.2",
                    get(path) + send("HEAD", path),
                    path == "/no-such-thing"
                        ? .finals([[404], [404]], .either) : .statuses([200, 200])
                ).heads(1).checking(sameFields(values: !path.hasPrefix("/photos")))
            }
            + rows(
                "RFC 9110 §9.3.2",
                .status(200),
                [
                    "HEAD of a file is answered": send("HEAD", "/hello.txt"),
                    "HEAD that comes byte by byte is answered":
                        send("HEAD", "/behaviors.json").paced(1),
                ]
            )
            + rows(
                "RFC 9110 §15.5.6",
                .status(in: [405]),
                ["HEAD of a POST-only action is 405": send("HEAD", "/actions/Ping")],
                check: allows("POST")
            )
            + rows(
                "RFC 9112 §3.2",
                .refused,
                [
                    "HEAD without Host is refused without a body":
                        "HEAD /hello.txt HTTP/1.1\r\n\r\n"
                ]
            )

        /// Other cases change the photos meanwhile, so that only the names of their fields compare.
        private static func sameFields(values: Bool) -> Case.Check {
            { answers in
                let differing = Set((answers[0].fields + answers[1].fields).map(\.name)).filter {
                    let (ofGET, ofHEAD) = (answers[0][$0], answers[1][$0])
                    // The Date moves on, and HEAD may leave out how a body would have been coded.
                    if ["date", "transfer-encoding"].contains($0.lowercased()) { return false }
                    return values ? ofGET != ofHEAD : (ofGET == nil) != (ofHEAD == nil)
                }
                return differing.isEmpty ? nil : "HEAD differs from GET in \(differing.sorted())"
            }
        }

        // MARK: OPTIONS

        private static let options =
            rows(
                "RFC 9110 §9.3.7",
                .status(in: [200, 204], .open),
                [
                    "OPTIONS of a file tells what it allows": send("OPTIONS", "/hello.txt"),
                    "OPTIONS of the behaviors tells what they allow":
                        send("OPTIONS", "/behaviors.json"),
                    "OPTIONS of the photos tells what they allow": send("OPTIONS", "/photos"),
                    "OPTIONS of the server tells what it allows": send("OPTIONS", "*"),
                    "OPTIONS of the server with Content-Length: 0 is answered":
                        send("OPTIONS", "*", "Content-Length: 0"),
                    "OPTIONS of an absolute URI is answered":
                        send("OPTIONS", "http://plugboard.test/hello.txt"),
                ],
                check: allows("GET")
            )
            + rows(
                "RFC 9110 §9.3.7",
                .status(in: [200, 204], .open),
                [
                    "OPTIONS of the like tells POST": send("OPTIONS", "/photos/42/like"),
                    "OPTIONS of an action tells POST": send("OPTIONS", "/actions/Ping"),
                ],
                check: allows("POST")
            )
            + rows(
                "RFC 9112 §3.2.4",
                .status(in: [200, 204, 400], .either),
                [
                    "OPTIONS of an absolute URI without path is OPTIONS of the server":
                        send("OPTIONS", "http://plugboard.test")
                ]
            )
            + rows(
                "RFC 9110 §9.3.7",
                .status(in: [200, 204, 400, 413], .either),
                [
                    "A body of OPTIONS never becomes a request":
                        send("OPTIONS", "/hello.txt", "Content-Length: 5", body: "hello")
                ]
            )

        // MARK: Methods that nobody implements

        private static let unknown =
            rows(
                "RFC 9110 §15.6.2",
                .status(in: [501]),
                [
                    "A made-up method is not implemented": send("BREW", "/hello.txt"),
                    "A made-up method where nothing is found is not implemented":
                        send("BREW", "/no-such-thing"),
                    "A method with a hyphen is not implemented": send("M-SEARCH", "/hello.txt"),
                    "A method of all token characters is not implemented":
                        send("!#$%&'*+-.^_`|~09", "/hello.txt"),
                    "A method that starts like GET is not implemented": send("GETS", "/hello.txt"),
                    "A method that GET starts with is not implemented": send("GE", "/hello.txt"),
                    "A method of one letter is not implemented": send("G", "/hello.txt"),
                    "A method of a hundred letters is not implemented":
                        send(String(repeating: "A", count: 100), "/hello.txt"),
                    "A body of an unknown method never becomes a request":
                        send("BREW", "/hello.txt", "Content-Length: 12", body: ada),
                    "A chunked body of an unknown method never becomes a request":
                        send(
                            "BREW",
                            "/hello.txt",
                            "Transfer-Encoding: chunked",
                            body: "c\r\n\(ada)\r\n0\r\n\r\n"
                        ),
                ]
            )
            + rows(
                "RFC 9110 §9.1",
                .status(in: [400, 501]),
                [
                    "Methods are case-sensitive: get is not GET": send("get", "/hello.txt"),
                    "Methods are case-sensitive: Get is not GET": send("Get", "/hello.txt"),
                    "Methods are case-sensitive: gET is not GET": send("gET", "/hello.txt"),
                    "Methods are case-sensitive: head is not HEAD": send("head", "/hello.txt"),
                    "Methods are case-sensitive: post is not POST": send("post", "/actions/Ping"),
                ]
            )

        // MARK: Methods that this resource has not

        private static let notAllowed =
            rows(
                "RFC 9110 §15.5.6",
                .status(in: [405]),
                [
                    "PUT of a file is not allowed": send("PUT", "/hello.txt", "Content-Length: 0"),
                    "DELETE of a file is not allowed": send("DELETE", "/hello.txt"),
                    "POST to a file is not allowed":
                        send("POST", "/hello.txt", "Content-Length: 0"),
                    "PATCH of the behaviors is not allowed":
                        send("PATCH", "/behaviors.json", "Content-Length: 0"),
                    "DELETE of the behaviors is not allowed": send("DELETE", "/behaviors.json"),
                    "DELETE of all photos is not allowed": send("DELETE", "/photos"),
                ],
                check: allows("GET")
            )
            + rows(
                "RFC 9110 §9.1",
                .status(in: [405]),
                [
                    "PROPFIND of a file is not allowed": send("PROPFIND", "/hello.txt"),
                    "QUERY of a file is not allowed": send("QUERY", "/hello.txt"),
                    "VERSION-CONTROL of the behaviors is not allowed":
                        send("VERSION-CONTROL", "/behaviors.json"),
                    "PRI of a file is not allowed": send("PRI", "/hello.txt"),
                    "TRACE of the photos is not allowed": send("TRACE", "/photos"),
                    "CONNECT is not allowed":
                        "CONNECT plugboard.test:443 HTTP/1.1\r\nHost: plugboard.test:443\r\n\r\n",
                ],
                check: allows("GET")
            )
            + rows(
                "RFC 9110 §15.5.6",
                .status(in: [405]),
                [
                    "GET of the like is not allowed": get("/photos/42/like"),
                    "PUT of the like is not allowed":
                        send("PUT", "/photos/42/like", "Content-Length: 0"),
                    "GET of an action is not allowed": get("/actions/Ping"),
                    "DELETE of an action is not allowed": send("DELETE", "/actions/Ping"),
                ],
                check: allows("POST")
            )
            + rows(
                "RFC 9110 §15.5.6",
                .status(in: [405]),
                [
                    "A body that is not allowed never becomes a request":
                        send("PUT", "/hello.txt", json, "Content-Length: 12", body: ada),
                    "A chunked body that is not allowed never becomes a request":
                        send(
                            "POST",
                            "/hello.txt",
                            "Transfer-Encoding: chunked",
                            body: "c\r\n\(ada)\r\n0\r\n\r\n"
                        ),
                ]
            )
            + rows(
                "RFC 9110 §15.5.5",
                .status(in: [404, 405]),
                [
                    "POST where nothing is found is not served":
                        send("POST", "/no-such-thing", "Content-Length: 0"),
                    "DELETE where nothing is found is not served": send("DELETE", "/no-such-thing"),
                    "PROPFIND where nothing is found is not served":
                        send("PROPFIND", "/no-such-thing"),
                    "TRACE where nothing is found is not served": send("TRACE", "/no-such-thing"),
                    "POST to an unknown action is not served":
                        send("POST", "/actions/NoSuchAction", "Content-Length: 0"),
                ]
            )

        private static func allows(_ method: String) -> Case.Check {
            { answers in
                guard let answer = answers.first else { return "no answer" }
                let allowed = (answer["Allow"] ?? "").split(separator: ",").map(trimmed)
                if allowed.contains(method) { return nil }
                return "Allow is \(answer["Allow"] ?? "absent"): \(method) is missing"
            }
        }

        // MARK: TRACE and CONNECT

        private static let neverHere =
            rows(
                "RFC 9110 §9.3.8",
                .status(in: [405, 501]),
                [
                    "TRACE is not served": send("TRACE", "/hello.txt"),
                    "TRACE of the root is not served": send("TRACE", "/", "X-Secret: treasure"),
                ],
                check: { answers in
                    answers.contains { $0.text.contains("treasure") } ? "TRACE reflects" : nil
                }
            )
            + rows(
                "RFC 9110 §9.3.8",
                .status(in: [400, 405, 501]),
                [
                    "TRACE with a body is not served":
                        send("TRACE", "/hello.txt", "Content-Length: 5", body: "hello")
                ]
            )
            + rows(
                "RFC 9110 §9.3.6",
                .status(in: [405, 501]),
                [
                    "CONNECT of an authority is not served":
                        "CONNECT plugboard.test:443 HTTP/1.1\r\nHost: plugboard.test:443\r\n\r\n",
                    "CONNECT of an address is not served":
                        "CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: 127.0.0.1:22\r\n\r\n",
                ]
            )
            + rows(
                "RFC 9112 §3.2.3",
                .status(in: [400, 405, 501]),
                [
                    "CONNECT of a path is not served": send("CONNECT", "/hello.txt"),
                    "CONNECT without a port is not served": send("CONNECT", "plugboard.test"),
                    "CONNECT of an absolute URI is not served":
                        send("CONNECT", "http://plugboard.test/"),
                    "CONNECT of the asterisk is not served": send("CONNECT", "*"),
                ]
            )
    }
}
