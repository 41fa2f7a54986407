import Testing

extension Conformance {
    /// Ranges of `/range.bin`, 1000 known octets.
    @Suite("Ranges")
    struct RangeTests {
        @Test("ranges", arguments: cases)
        func holds(_ row: Case) throws { try row.run() }

        static let cases =
            single + unsatisfiable + ignored + multiple + conditional + elsewhere

        private static let path = "/range.bin"

        // MARK: one range

        private static let single = [
            ("bytes=0-0", 0..<1), ("bytes=0-9", 0..<10), ("bytes=10-19", 10..<20),
            ("bytes=999-999", 999..<1000), ("bytes=500-", 500..<1000), ("bytes=999-", 999..<1000),
            ("bytes=-1", 999..<1000), ("bytes=-500", 500..<1000), ("bytes=0-999", 0..<1000),
            ("bytes=0-", 0..<1000), ("bytes=0-1000", 0..<1000), ("bytes=990-5000", 990..<1000),
            ("bytes=-1000", 0..<1000), ("bytes=-5000", 0..<1000), ("bytes=000-009", 0..<10),
        ].map { value, expected in
            Case(
                "\(value) is octets \(expected.lowerBound) to \(expected.upperBound - 1)",
                "RFC 9110 §14.1.2",
                get(path, "Range: \(value)"),
                .status(206)
            ).checking { partial($0[0], expected) }
        }

        private static func partial(_ answer: Response, _ expected: Range<Int>) -> String? {
            let range = "bytes \(expected.lowerBound)-\(expected.upperBound - 1)/1000"
            if answer["Content-Range"] != range {
                return "Content-Range is \(answer["Content-Range"] ?? "absent"), not \(range)"
            }
            if answer["ETag"] == nil { return "a 206 without ETag (RFC 9110 §15.3.7)" }
            return answer.body == Array(Fixtures.range[expected]) ? nil : "these are other octets"
        }

        // MARK: none of it

        private static let unsatisfiable = rows(
            "RFC 9110 §15.5.17",
            .status(416),
            [
                "A range that starts at the end is not satisfiable":
                    get(path, "Range: bytes=1000-"),
                "A range behind the end is not satisfiable":
                    get(path, "Range: bytes=5000-6000"),
                "The last 0 octets are not satisfiable": get(path, "Range: bytes=-0"),
                "A range of a start beyond 64 bits is not satisfiable":
                    get(path, "Range: bytes=18446744073709551616-"),
                "Two ranges behind the end are not satisfiable":
                    get(path, "Range: bytes=1000-1001,2000-"),
            ],
            check: { answers in
                answers[0]["Content-Range"] == "bytes */1000"
                    ? nil : "Content-Range is \(answers[0]["Content-Range"] ?? "absent")"
            }
        )

        private static let ignored = [
            "bytes=", "bytes", "bytes=abc", "bytes=-", "bytes=--1", "bytes=5-2", "bytes=1--2",
            "bytes=+1-2", "bytes=1-+2", "bytes=0x0-0x9", "bytes=1.0-2", "bytes=1-2x", "bytes=1-2-3",
            "bytes 0-9", "bytes:0-9", "0-9", "=0-9", "bytes=0-9;x", "bytes=0 - 9", "bytes=\"0-9\"",
            "lines=0-9", "none", "bytes=a-9", "bytes=9-a", "bytes=\u{D9}\u{A1}-9", "",
        ].map { value in
            Case(
                "A Range of '\(value)' is ignored or refused",
                "RFC 9110 §14.2",
                get(path, "Range: \(value)"),
                .status(in: [200, 400, 416])
            ).checking(wholeIfServed)
        }

        private static let wholeIfServed: Case.Check = { answers in
            answers[0].status != 200 || answers[0].body == Fixtures.range
                ? nil : "a 200 is not the whole"
        }

        // MARK: several ranges

        private static let multiple =
            [
                ("bytes=0-9,20-29", [0..<10, 20..<30]), ("bytes=0-0,-1", [0..<1, 999..<1000]),
                ("bytes=0-9 , 20-29", [0..<10, 20..<30]), ("bytes=20-29,0-9", [20..<30, 0..<10]),
                ("bytes=0-9,5-14", [0..<10, 5..<15]), ("bytes=0-9,5000-", [0..<10]),
                ("bytes=,0-9,,20-29,", [0..<10, 20..<30]), ("bytes=0-9,10-19", [0..<10, 10..<20]),
            ].map { value, expected in
                Case(
                    "\(value) is parts, or the whole",
                    "RFC 9110 §14.6",
                    get(path, "Range: \(value)"),
                    .status(in: [200, 206], .open)
                ).checking { parts($0[0], expected) }
            }
            + rows(
                "RFC 9110 §14.1.2",
                .status(in: [200, 206], .open),
                [
                    "A range that ends beyond 64 bits ends with the file":
                        get(path, "Range: bytes=0-18446744073709551616")
                ],
                check: { answers in
                    answers[0].body == Fixtures.range ? nil : "these are other octets"
                }
            )
            + rows(
                "RFC 9110 §14.2",
                .status(in: [200, 206, 400, 416]),
                [
                    "Five hundred ranges are no multiple of the file":
                        get(path, "Range: bytes=" + String(repeating: "0-,", count: 500)),
                    "A range that has a valid and an invalid part is in step":
                        get(path, "Range: bytes=0-1,5-2"),
                    "A range that has a valid part and a word is in step":
                        get(path, "Range: bytes=0-1,x"),
                    "Two Range lines are in step":
                        get(path, "Range: bytes=0-9", "Range: bytes=20-29"),
                    "Blanks before a range are in step": get(path, "Range: bytes= 0-9"),
                    "A unit in capitals is in step": get(path, "Range: BYTES=0-9"),
                ],
                check: { answers in
                    answers[0].body.count > 20_000 ? "\(answers[0].body.count) octets" : nil
                }
            )

        /// A 206 of several ranges: each part tells its range and has its octets; coalesced parts count too.
        private static func parts(_ answer: Response, _ expected: [Range<Int>]) -> String? {
            if answer.status == 200 { return wholeIfServed([answer]) }
            var found: [(field: String, body: [UInt8])] = []
            if let range = answer["Content-Range"] {
                if answer.mediaType == "multipart/byteranges" {
                    return "Content-Range beside parts"
                }
                found = [(range, answer.body)]
            } else {
                guard let split = multipart(answer) else { return "not well-formed multipart" }
                found = split
            }
            var covered: Set<Int> = []
            for (field, body) in found {
                let interval = field.dropFirst("bytes ".count).prefix { $0 != "/" }
                let bounds = interval.split(separator: "-")
                guard field.hasPrefix("bytes "), field.hasSuffix("/1000"), bounds.count == 2,
                    let first = Int(bounds[0]), let last = Int(bounds[1]), first <= last,
                    last < 1000
                else { return "Content-Range of a part is \(field)" }
                if body != Array(Fixtures.range[first...last]) { return "other octets in \(field)" }
                covered.formUnion(first...last)
            }
            return expected.allSatisfy { covered.isSuperset(of: $0) } ? nil : "a part is missing"
        }

        private static func multipart(_ answer: Response) -> [(String, [UInt8])]? {
            guard let type = answer["Content-Type"],
                let boundary = type.split(separator: "boundary=").dropFirst().first.map({
                    $0.prefix { $0 != ";" }.filter { $0 != "\"" }
                }), !boundary.isEmpty
            else { return nil }
            var rest = latin1(answer.body)[...]
            var found: [(String, [UInt8])] = []
            guard let start = rest.range(of: "--\(boundary)") else { return nil }
            rest = rest[start.upperBound...]
            while !rest.hasScalars("--") {
                guard let head = rest.range(of: "\r\n\r\n"),
                    let end = rest[head.upperBound...].range(of: "\r\n--\(boundary)")
                else { return nil }
                let lines = rest[..<head.lowerBound].split(separator: "\r\n")
                guard let line = lines.first(where: { $0.lowercased().hasPrefix("content-range:") })
                else { return nil }
                let body = octets(String(rest[head.upperBound..<end.lowerBound]))
                found.append((trimmed(line.dropFirst("content-range:".count)), body))
                rest = rest[end.upperBound...]
            }
            return found
        }

        // MARK: If-Range and preconditions

        private static let conditional =
            rows(
                "RFC 9110 §13.1.5",
                .status(206),
                on: path,
                [
                    "If-Range with the tag is the range": { known in
                        get(path, "Range: bytes=0-9", "If-Range: \(known.etag)")
                    }
                ],
                check: { partial($0[0], 0..<10) }
            )
            + rows(
                "RFC 9110 §13.1.5",
                .status(in: [200, 206], .open),
                on: path,
                [
                    // Its date is a strong validator only for who can tell; the whole is never wrong.
                    "If-Range with its date is the range or the whole": { known in
                        get(path, "Range: bytes=0-9", "If-Range: \(known.lastModified.imf)")
                    }
                ],
                check: wholeIfServed
            )
            + rows(
                "RFC 9110 §13.1.5",
                .status(200),
                on: path,
                [
                    "If-Range with another tag is the whole": { _ in
                        get(path, "Range: bytes=0-9", "If-Range: \"x\"")
                    },
                    "If-Range compares strongly": { known in
                        get(path, "Range: bytes=0-9", "If-Range: \(known.weak)")
                    },
                    "If-Range with an earlier date is the whole": { known in
                        get(
                            path,
                            "Range: bytes=0-9",
                            "If-Range: \(known.lastModified.adding(-1).imf)"
                        )
                    },
                    "If-Range with a later date is the whole": { known in
                        get(
                            path,
                            "Range: bytes=0-9",
                            "If-Range: \(known.lastModified.adding(1).imf)"
                        )
                    },
                    "If-Range with another tag wins over a range behind the end": { _ in
                        get(path, "Range: bytes=5000-", "If-Range: \"x\"")
                    },
                    "If-Range without Range is the whole": { known in
                        get(path, "If-Range: \(known.etag)")
                    },
                    "If-Range of no meaning is the whole": { _ in
                        get(path, "Range: bytes=0-9", "If-Range: yesterday")
                    },
                ],
                check: wholeIfServed
            )
            + rows(
                "RFC 9110 §13.2.2",
                .status(304),
                on: path,
                [
                    "If-None-Match wins over Range": { known in
                        get(path, "Range: bytes=0-9", "If-None-Match: \(known.etag)")
                    },
                    "If-Modified-Since wins over Range": { known in
                        get(
                            path,
                            "Range: bytes=0-9",
                            "If-Modified-Since: \(known.lastModified.imf)"
                        )
                    },
                ]
            )
            + rows(
                "RFC 9110 §13.2.2",
                .status(412),
                on: path,
                [
                    "If-Match that fails wins over Range": { _ in
                        get(path, "Range: bytes=0-9", "If-Match: \"x\"")
                    }
                ]
            )

        private static let elsewhere =
            rows(
                "RFC 9110 §14.2",
                .status(200),
                [
                    "Range is ignored on HEAD": send("HEAD", path, "Range: bytes=0-9"),
                    "Range is ignored on POST": like("Range: bytes=0-0"),
                ],
                check: { answers in
                    answers[0]["Content-Range"] == nil ? nil : "it has a Content-Range"
                }
            )
            + rows(
                "RFC 9110 §14.2",
                .status(404),
                ["Range makes nothing of nothing": get("/no-such-thing", "Range: bytes=0-9")]
            )
            + rows(
                "RFC 9110 §14.1.2",
                .status(in: [200, 416], .open),
                [
                    "A range of an empty file is not satisfiable":
                        get("/empty.txt", "Range: bytes=0-"),
                    "The last octets of an empty file are not satisfiable":
                        get("/empty.txt", "Range: bytes=-5"),
                ]
            )
            + rows(
                "RFC 9110 §14.2",
                .statuses([206, 206]),
                [
                    "Two ranges in turn are answered in turn":
                        Wire(
                            get(path, "Range: bytes=0-9").bytes
                                + get(path, "Range: bytes=-10").bytes
                        )
                ],
                check: { answers in
                    partial(answers[0], 0..<10) ?? partial(answers[1], 990..<1000)
                }
            )
    }
}
