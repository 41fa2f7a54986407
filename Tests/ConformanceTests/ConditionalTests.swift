import Testing

extension Conformance {
    @Suite("Conditional requests")
    struct ConditionalTests {
        @Test("preconditions", arguments: cases)
        func holds(_ row: Case) throws { try row.run() }

        static let cases =
            ["/behaviors.json", "/hello.txt"].flatMap { path in
                noneMatch(path) + modifiedSince(path) + match(path) + unmodifiedSince(path)
                    + precedence(path)
            } + elsewhere

        private static func noneMatch(_ path: String) -> [Case] {
            rows(
                "RFC 9110 §13.1.2",
                .status(304),
                on: path,
                [
                    "If-None-Match with the tag is not modified": { known in
                        get(path, "If-None-Match: \(known.etag)")
                    },
                    "If-None-Match compares weakly": { known in
                        get(path, "If-None-Match: \(known.weak)")
                    },
                    "If-None-Match finds the tag in a list": { known in
                        get(path, "If-None-Match: \"x\", \(known.etag), \"y\"")
                    },
                    "If-None-Match finds the tag in a list without spaces": { known in
                        get(path, "If-None-Match: \"x\",\(known.etag),\"y\"")
                    },
                    "If-None-Match finds the tag behind a tag with a comma": { known in
                        get(path, "If-None-Match: \"x,y\", W/\"z\", \(known.etag)")
                    },
                    "If-None-Match finds the tag among empty members": { known in
                        get(path, "If-None-Match: , \(known.etag),")
                    },
                    "If-None-Match finds the tag on a second line": { known in
                        get(path, "If-None-Match: \"x\"", "If-None-Match: \(known.etag)")
                    },
                    "If-None-Match with an asterisk is not modified": { _ in
                        get(path, "If-None-Match: *")
                    },
                    "If-None-Match is for HEAD too": { known in
                        send("HEAD", path, "If-None-Match: \(known.etag)")
                    },
                    "If-None-Match that comes byte by byte is not modified": { known in
                        get(path, "If-None-Match: \(known.etag)").paced(1)
                    },
                ],
                check: { answers in
                    answers[0]["ETag"] == nil ? "a 304 without ETag (RFC 9110 §15.4.5)" : nil
                }
            )
                + rows(
                    "RFC 9110 §13.1.2",
                    .status(200),
                    on: path,
                    [
                        "If-None-Match with another tag is answered": { _ in
                            get(path, "If-None-Match: \"x\"")
                        },
                        "If-None-Match with other tags is answered": { _ in
                            get(path, "If-None-Match: \"x\", W/\"y\", \"\"")
                        },
                        "If-None-Match with a tag that starts like it is answered": { known in
                            get(path, "If-None-Match: \(known.etag.dropLast())x\"")
                        },
                        "If-None-Match with the tag inside another is answered": { known in
                            get(path, "If-None-Match: \"\(known.etag.filter { $0 != "\"" })x\"")
                        },
                    ]
                )
                + rows(
                    "RFC 9110 §8.8.3",
                    .status(in: [200, 304, 400]),
                    on: path,
                    [
                        "If-None-Match with a tag without quotes is no crash": { known in
                            get(path, "If-None-Match: \(known.etag.filter { $0 != "\"" })")
                        },
                        "If-None-Match with an open quote is no crash": { known in
                            get(path, "If-None-Match: \(known.etag.dropLast())")
                        },
                        "If-None-Match of nothing is no crash": { _ in get(path, "If-None-Match:")
                        },
                        "If-None-Match with a lower-case w is no crash": { known in
                            get(path, "If-None-Match: w/\(known.etag)")
                        },
                    ]
                )
                + [
                    Case(
                        "A 304 has the fields of the 200 [\(path)]",
                        "RFC 9110 §15.4.5",
                        .statuses([200, 304]),
                        on: path
                    ) { known in get(path) + get(path, "If-None-Match: \(known.etag)") }
                    .checking { answers in
                        let differing = [
                            "ETag", "Cache-Control", "Vary", "Expires", "Content-Location",
                        ]
                        .filter { answers[0][$0] != answers[1][$0] }
                        if !differing.isEmpty { return "the 304 differs in \(differing)" }
                        guard let length = answers[1]["Content-Length"] else { return nil }
                        return length == answers[0]["Content-Length"]
                            ? nil : "the 304 has Content-Length: \(length)"
                    }
                ]
        }

        private static func modifiedSince(_ path: String) -> [Case] {
            rows(
                "RFC 9110 §13.1.3",
                .status(304),
                on: path,
                [
                    "If-Modified-Since its date is not modified": { known in
                        get(path, "If-Modified-Since: \(known.lastModified.imf)")
                    },
                    "If-Modified-Since a later date is not modified": { known in
                        get(path, "If-Modified-Since: \(known.lastModified.adding(1).imf)")
                    },
                    "If-Modified-Since is for HEAD too": { known in
                        send("HEAD", path, "If-Modified-Since: \(known.lastModified.imf)")
                    },
                ]
            )
                + rows(
                    "RFC 9110 §5.6.7",
                    .status(304),
                    on: path,
                    [
                        "If-Modified-Since a date of RFC 850 is not modified": { known in
                            get(path, "If-Modified-Since: \(known.lastModified.rfc850)")
                        },
                        "If-Modified-Since a date of asctime is not modified": { known in
                            get(path, "If-Modified-Since: \(known.lastModified.asctime)")
                        },
                    ]
                )
                + rows(
                    "RFC 9110 §13.1.3",
                    .status(200),
                    on: path,
                    [
                        "If-Modified-Since an earlier date is answered": { known in
                            get(path, "If-Modified-Since: \(known.lastModified.adding(-1).imf)")
                        },
                        "If-Modified-Since an earlier date of RFC 850 is answered": { known in
                            get(path, "If-Modified-Since: \(known.lastModified.adding(-1).rfc850)")
                        },
                        "If-Modified-Since an earlier date of asctime is answered": { known in
                            get(path, "If-Modified-Since: \(known.lastModified.adding(-1).asctime)")
                        },
                        "If-Modified-Since the year 1994 is answered": { _ in
                            get(path, "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT")
                        },
                        "If-Modified-Since of two digits in 1994 is answered": { _ in
                            get(path, "If-Modified-Since: Sunday, 06-Nov-94 08:49:37 GMT")
                        },
                        "If-Modified-Since no date is ignored": { _ in
                            get(path, "If-Modified-Since: yesterday")
                        },
                        "If-Modified-Since nothing is ignored": { _ in
                            get(path, "If-Modified-Since:")
                        },
                        "If-Modified-Since a number is ignored": { _ in
                            get(path, "If-Modified-Since: 4102444800")
                        },
                        "If-Modified-Since a date of ISO 8601 is ignored": { _ in
                            get(path, "If-Modified-Since: 2100-01-01T00:00:00Z")
                        },
                        "If-Modified-Since a day that is none is ignored": { _ in
                            get(path, "If-Modified-Since: Fri, 32 Jan 2100 00:00:00 GMT")
                        },
                        "If-Modified-Since a month that is none is ignored": { _ in
                            get(path, "If-Modified-Since: Fri, 01 Foo 2100 00:00:00 GMT")
                        },
                        "If-Modified-Since a time that is none is ignored": { _ in
                            get(path, "If-Modified-Since: Fri, 01 Jan 2100 25:00:00 GMT")
                        },
                    ]
                )
                + rows(
                    "RFC 9110 §13.1.3",
                    .status(in: [200, 304], .open),
                    on: path,
                    [
                        "If-Modified-Since a date to come is in step": { _ in
                            get(path, "If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT")
                        },
                        "If-Modified-Since another zone is in step": { known in
                            get(path, "If-Modified-Since: \(known.lastModified.imf.dropLast(3))UTC")
                        },
                        "If-Modified-Since two dates is in step": { known in
                            get(
                                path,
                                "If-Modified-Since: \(known.lastModified.imf)",
                                "If-Modified-Since: \(known.lastModified.imf)"
                            )
                        },
                    ]
                )
        }

        private static func match(_ path: String) -> [Case] {
            rows(
                "RFC 9110 §13.1.1",
                .status(200),
                on: path,
                [
                    "If-Match with the tag is answered": { known in
                        get(path, "If-Match: \(known.etag)")
                    },
                    "If-Match finds the tag in a list": { known in
                        get(path, "If-Match: \"x\", \(known.etag)")
                    },
                    "If-Match with an asterisk is answered": { _ in get(path, "If-Match: *") },
                ]
            )
                + rows(
                    "RFC 9110 §13.1.1",
                    .status(412),
                    on: path,
                    [
                        "If-Match with another tag fails": { _ in get(path, "If-Match: \"x\"") },
                        "If-Match with other tags fails": { _ in
                            get(path, "If-Match: \"x\", \"y\"")
                        },
                        "If-Match compares strongly": { known in
                            get(path, "If-Match: \(known.weak)")
                        },
                        "If-Match is for HEAD too": { _ in send("HEAD", path, "If-Match: \"x\"") },
                    ]
                )
        }

        private static func unmodifiedSince(_ path: String) -> [Case] {
            rows(
                "RFC 9110 §13.1.4",
                .status(200),
                on: path,
                [
                    "If-Unmodified-Since its date is answered": { known in
                        get(path, "If-Unmodified-Since: \(known.lastModified.imf)")
                    },
                    "If-Unmodified-Since a later date is answered": { known in
                        get(path, "If-Unmodified-Since: \(known.lastModified.adding(1).imf)")
                    },
                    "If-Unmodified-Since no date is ignored": { _ in
                        get(path, "If-Unmodified-Since: yesterday")
                    },
                    "If-Unmodified-Since beside If-Match is ignored": { known in
                        get(
                            path,
                            "If-Match: \(known.etag)",
                            "If-Unmodified-Since: \(known.lastModified.adding(-1).imf)"
                        )
                    },
                ]
            )
                + rows(
                    "RFC 9110 §13.1.4",
                    .status(412),
                    on: path,
                    [
                        "If-Unmodified-Since an earlier date fails": { known in
                            get(path, "If-Unmodified-Since: \(known.lastModified.adding(-1).imf)")
                        },
                        "If-Unmodified-Since an earlier date of RFC 850 fails": { known in
                            get(
                                path,
                                "If-Unmodified-Since: \(known.lastModified.adding(-1).rfc850)"
                            )
                        },
                        "If-Unmodified-Since an earlier date of asctime fails": { known in
                            get(
                                path,
                                "If-Unmodified-Since: \(known.lastModified.adding(-1).asctime)"
                            )
                        },
                    ]
                )
        }

        private static func precedence(_ path: String) -> [Case] {
            rows(
                "RFC 9110 §13.2.2",
                .status(200),
                on: path,
                [
                    "If-None-Match that differs wins over If-Modified-Since": { known in
                        get(
                            path,
                            "If-None-Match: \"x\"",
                            "If-Modified-Since: \(known.lastModified.imf)"
                        )
                    }
                ]
            )
                + rows(
                    "RFC 9110 §13.2.2",
                    .status(304),
                    on: path,
                    [
                        "If-None-Match that matches wins over If-Modified-Since": { known in
                            get(
                                path,
                                "If-Modified-Since: \(known.lastModified.adding(-1).imf)",
                                "If-None-Match: \(known.etag)"
                            )
                        },
                        "If-Match that matches leaves If-None-Match to decide": { known in
                            get(path, "If-Match: \(known.etag)", "If-None-Match: \(known.etag)")
                        },
                    ]
                )
                + rows(
                    "RFC 9110 §13.2.2",
                    .status(412),
                    on: path,
                    [
                        "If-Match that fails wins over If-None-Match": { known in
                            get(path, "If-None-Match: \(known.etag)", "If-Match: \"x\"")
                        }
                    ]
                )
        }

        private static let elsewhere =
            rows(
                "RFC 9110 §13.2.1",
                .status(404),
                [
                    "If-None-Match makes nothing of nothing":
                        get("/no-such-thing", "If-None-Match: *"),
                    "If-Modified-Since makes nothing of nothing":
                        get(
                            "/no-such-thing",
                            "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT"
                        ),
                ]
            )
            + rows(
                "RFC 9110 §13.1.3",
                .status(200),
                [
                    "If-Modified-Since is ignored on POST":
                        like("If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT")
                ]
            )
    }
}
