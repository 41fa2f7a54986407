import Testing

extension Conformance {
    /// The metadata of responses; `Response.complaints` has the rules for all of them.
    @Suite("Responses")
    struct ResponseTests {
        @Test("responses", arguments: cases)
        func holds(_ row: Case) throws { try row.run() }

        static let cases = dates + types + lengths + validators + codings + problems + actions

        private static let dates =
            rows(
                "RFC 9110 §6.6.1",
                .status(200),
                ["Date is now": get("/hello.txt"), "Date of an action is now": like()],
                check: isNow
            )
            + rows(
                "RFC 9110 §6.6.1",
                .status(404),
                ["Date of a 404 is now": get("/no-such-thing")],
                check: isNow
            )
            + rows(
                "RFC 9110 §6.6.1",
                .refused,
                ["Date of a refusal is now": request("GET / HTTP/1.1")],
                check: isNow
            )

        private static let isNow: Case.Check = { answers in
            guard let date = answers[0]["Date"].flatMap(HTTPDate.init(imf:)) else {
                return "no valid Date"
            }
            let age = HTTPDate.now.seconds - date.seconds
            return abs(age) <= 5 ? nil : "Date is \(age) seconds off"
        }

        private static let types = [
            ("/", "text/html"), ("/index.html", "text/html"), ("/hello.txt", "text/plain"),
            ("/range.bin", "application/octet-stream"), ("/behaviors.json", "application/json"),
            ("/photos", "application/json"), ("/photos/42", "application/json"),
        ].map { path, type in
            Case(
                "\(path) is \(type)",
                "RFC 9110 §8.3",
                get(path),
                .status(200)
            ).checking { answers in
                if answers[0].all("Content-Type").count != 1 { return "not one Content-Type" }
                return answers[0].mediaType == type ? nil : "it is \(answers[0].mediaType)"
            }
        }

        private static let lengths =
            rows(
                "RFC 9110 §8.6",
                .status(200),
                [
                    "A file tells its length": get("/range.bin"),
                    "HEAD of a file tells the length of its GET": send("HEAD", "/range.bin"),
                    "HEAD of a file tells its length byte by byte":
                        send("HEAD", "/range.bin").paced(1),
                ],
                check: { answers in
                    answers[0]["Content-Length"] == "1000" ? nil : "not Content-Length: 1000"
                }
            )
            + rows(
                "RFC 9110 §8.6",
                .status(200),
                ["An empty file tells its length": get("/empty.txt")],
                check: { answers in
                    answers[0]["Content-Length"] == "0" ? nil : "not Content-Length: 0"
                }
            )
            + rows(
                "RFC 9112 §6.1",
                .status(200, closes: true),
                [
                    "HTTP/1.0 is never told Transfer-Encoding": request("GET /photos HTTP/1.0"),
                    "HTTP/1.0 is never told Transfer-Encoding for a file":
                        request("GET /behaviors.json HTTP/1.0"),
                ]
            )

        private static let validators =
            rows(
                "RFC 9110 §8.8",
                .status(200),
                [
                    "The behaviors have a strong tag and a date": get("/behaviors.json"),
                    "A file has a strong tag and a date": get("/hello.txt"),
                ],
                check: { answers in
                    let etag = answers[0]["ETag"] ?? ""
                    guard etag.count > 2, etag.hasPrefix("\""), etag.hasSuffix("\""),
                        !etag.dropFirst().dropLast().contains("\"")
                    else { return "ETag is \(etag.isEmpty ? "absent" : etag)" }
                    guard let date = answers[0]["Last-Modified"].flatMap(HTTPDate.init(imf:)) else {
                        return "Last-Modified is \(answers[0]["Last-Modified"] ?? "absent")"
                    }
                    return date.seconds <= HTTPDate.now.seconds ? nil : "modified in the future"
                }
            )
            + rows(
                "RFC 9111 §5.2",
                .status(200),
                ["The behaviors say how they may be cached": get("/behaviors.json")],
                check: { answers in
                    answers[0]["Cache-Control"] == nil ? "no Cache-Control" : nil
                }
            )
            + rows(
                "RFC 9110 §8.8.2",
                .status(200),
                ["A file's date is the file's": get("/hello.txt")],
                check: { answers in
                    answers[0]["Last-Modified"] == Fixtures.modified.imf
                        ? nil : "Last-Modified is \(answers[0]["Last-Modified"] ?? "absent")"
                }
            )
            + rows(
                "RFC 9110 §8.8.3",
                .statuses([200, 200]),
                [
                    "The same bytes have the same tag": get("/behaviors.json")
                        + get("/behaviors.json")
                ],
                check: { answers in
                    answers[0]["ETag"] == answers[1]["ETag"] ? nil : "the tag changes"
                }
            )

        private static let codings =
            rows(
                "RFC 9110 §12.5.3",
                .status(200),
                [
                    "Without Accept-Encoding nothing is coded": get("/behaviors.json"),
                    "identity is not coded": get("/behaviors.json", "Accept-Encoding: identity"),
                    "gzip refused by its weight is not coded":
                        get("/behaviors.json", "Accept-Encoding: gzip;q=0, identity"),
                    "gzip refused by a weight of 0.000 is not coded":
                        get("/behaviors.json", "Accept-Encoding: gzip;q=0.000"),
                    "An unknown coding is not used":
                        get("/behaviors.json", "Accept-Encoding: made-up"),
                    "An empty Accept-Encoding is not coded":
                        get("/behaviors.json", "Accept-Encoding:"),
                ],
                check: { answers in
                    answers[0]["Content-Encoding"] == nil ? nil : "it has a Content-Encoding"
                }
            )
            + rows(
                "RFC 9110 §12.5.5",
                .statuses([200, 200]),
                [
                    "A coded answer has its own tag and says that it varies":
                        get("/behaviors.json")
                        + get("/behaviors.json", "Accept-Encoding: gzip, deflate, br")
                ],
                check: { answers in
                    guard answers[1]["Content-Encoding"] != nil else { return nil }
                    if answers[0]["ETag"] == answers[1]["ETag"] { return "one strong tag for two" }
                    let varies = answers.allSatisfy {
                        $0.tokens("Vary").contains("accept-encoding")
                    }
                    return varies ? nil : "no Vary: Accept-Encoding"
                }
            )

        private static let isProblem: Case.Check = { answers in
            for answer in answers where answer.status >= 400 {
                let body = answer.text.filter { !$0.isWhitespace }
                if answer.mediaType != "application/problem+json" || !body.hasPrefix("{") {
                    return "a \(answer.status) that is no problem: \(answer.text)"
                }
                if body.contains("\"status\":"), !body.contains("\"status\":\(answer.status)") {
                    return "the problem tells another status"
                }
                for word in ["Swift", ".swift", "DecodingError", "Optional(", "codingPath"]
                where answer.text.contains(word) {
                    return "the problem tells of \(word)"
                }
            }
            return nil
        }

        private static let problems =
            rows(
                "RFC 9457 §3",
                .status(404),
                [
                    "A 404 is a problem": get("/no-such-thing"),
                    "A 404 of an unknown photo is a problem": get("/photos/999999999"),
                    "A 404 of a like of an unknown photo is a problem":
                        send("POST", "/photos/999999999/like"),
                ],
                check: isProblem
            )
            + rows(
                "RFC 9457 §3",
                .refused,
                ["A refusal is a problem": get("/hello.txt", "X : y")],
                check: isProblem
            )
            + rows(
                "RFC 9457 §3",
                .status(in: [405]),
                ["A 405 is a problem": send("DELETE", "/hello.txt")],
                check: isProblem
            )
            + rows(
                "RFC 9457 §3",
                .status(in: [400, 404, 422], .open),
                [
                    "An id that is no number is a problem": get("/photos/abc"),
                    "An id beyond 64 bits is a problem": get("/photos/99999999999999999999"),
                    "An id with a sign is a problem": get("/photos/+-42"),
                ],
                check: isProblem
            )
            + rows(
                "RFC 9457 §3",
                .status(in: [400, 422], .open),
                [
                    "A body that is no JSON is a problem":
                        like("Content-Length: 5", body: "hello"),
                    "A body that is cut-off JSON is a problem":
                        like("Content-Length: 8", body: "{\"user\":"),
                    "A body with more behind its JSON is a problem":
                        like("Content-Length: 14", body: "\(ada){}"),
                    "A body of the wrong kind is a problem":
                        like("Content-Length: 2", body: "[]"),
                    "A body that is no UTF-8 is a problem":
                        like("Content-Length: 12", body: "{\"user\":\"\u{FF}\"}"),
                    "A missing field is a problem":
                        send("POST", "/photos", json, "Content-Length: 2", body: "{}"),
                ],
                check: isProblem
            )
            + rows(
                "RFC 9457 §3",
                .status(in: [400, 422], .open),
                [
                    "A field of the wrong type is named":
                        like("Content-Length: 10", body: "{\"user\":5}")
                ],
                check: { answers in
                    answers[0].text.contains("/user")
                        ? isProblem(answers) : "/user is not named: \(answers[0].text)"
                }
            )

        private static let actions =
            rows(
                "RFC 9110 §15.3.1",
                .status(200),
                [
                    "A like without body is counted": like(),
                    "A like with a user is counted": like("Content-Length: 12", body: ada),
                    "A like with an empty object is counted":
                        like("Content-Length: 2", body: "{}"),
                    "A chunked like is counted": chunked("c\r\n\(ada)\r\n0\r\n\r\n"),
                ],
                check: { answers in
                    answers[0].text.contains("\"photo\":42")
                        && answers[0].text.contains("\"likes\":")
                        ? nil : "it is \(answers[0].text)"
                }
            )
            + rows(
                "RFC 9110 §15.3.2",
                .status(201),
                [
                    "A photo is created and has a place":
                        send(
                            "POST",
                            "/photos",
                            json,
                            "Content-Length: 15",
                            body: "{\"title\":\"Mir\"}"
                        ),
                    "A photo of a chunked body is created and has a place":
                        send(
                            "POST",
                            "/photos",
                            json,
                            "Transfer-Encoding: chunked",
                            body: "8\r\n{\"title\"\r\n7\r\n:\"Mir\"}\r\n0\r\n\r\n"
                        ),
                ],
                check: { answers in
                    let place = answers[0]["Location"] ?? ""
                    if !place.contains("/photos/") { return "Location is \(place)" }
                    return answers[0].body.isEmpty || answers[0].text.contains("Mir")
                        ? nil : "the title is lost: \(answers[0].text)"
                }
            )
            + rows(
                "RFC 9110 §15.3.5",
                .status(in: [200, 204], .open),
                [
                    "An unlike is answered, without length if without content":
                        send("DELETE", "/photos/42/like")
                ]
            )
            + rows(
                "RFC 9110 §8.3",
                .status(in: [200, 400, 415]),
                [
                    "JSON under another type is read or refused":
                        request(
                            "POST /photos/42/like HTTP/1.1",
                            host,
                            "Content-Type: text/plain",
                            "Content-Length: 12",
                            body: ada
                        )
                ]
            )
    }
}
