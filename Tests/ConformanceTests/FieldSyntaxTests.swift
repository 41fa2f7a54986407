import Testing

extension Conformance {
    @Suite("Field syntax")
    struct FieldSyntaxTests {
        @Test("field syntax", arguments: cases)
        func holds(_ row: Case) throws { try row.run() }

        static let cases = served + names + lines + values + ends

        private static let served =
            rows(
                "RFC 9112 §5",
                .status(200),
                [
                    "No space is needed behind the colon": get("/hello.txt", "X-A:b"),
                    "Spaces around a value are not the value": get("/hello.txt", "X-A:    b   "),
                    "Tabs around a value are not the value": get("/hello.txt", "X-A:\t\tb\t"),
                    "A value may be empty": get("/hello.txt", "X-A:"),
                    "A value may be blank": get("/hello.txt", "X-A: \t "),
                    "A value may contain a tab": get("/hello.txt", "X-A: b\tc"),
                    "A value may contain every visible character":
                        get(
                            "/hello.txt",
                            "X-A: !\"#$%&'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~"
                        ),
                    "A value may contain octets above ASCII":
                        get("/hello.txt", "X-A: \u{80}\u{E9}\u{FF}"),
                    "A value may contain colons": get("/hello.txt", "X-A: b: c: d"),
                    "A name may be of one character": get("/hello.txt", "X: b"),
                    "A name may contain every token character":
                        get("/hello.txt", "!#$%&'*+-.^_`|~09AZaz: b"),
                    "A name may be repeated": get("/hello.txt", "X-A: b", "X-A: c", "x-a: d"),
                    "Fields may come byte by byte":
                        get("/hello.txt", "X-A: b", "X-B:  c").paced(1),
                    "Fields may come in pieces of three bytes":
                        get("/hello.txt", "X-A: b", "X-B:  c").paced(3),
                    "Content_Length is not Content-Length":
                        get("/hello.txt", "Content_Length: 100"),
                    "X-Content-Length is not Content-Length":
                        get("/hello.txt", "X-Content-Length: 100"),
                ]
            )

        private static let names =
            Array("()<>@,;\\\"/[]?={}").map { character in
                Case(
                    "A \(character) in a field name is refused",
                    "RFC 9110 §5.1",
                    get("/hello.txt", "X\(character)A: b"),
                    .refused
                )
            }
            + rows(
                "RFC 9110 §5.1",
                .refused,
                [
                    "An empty field name is refused": get("/hello.txt", ": b"),
                    "A colon alone is refused": get("/hello.txt", ":"),
                    "A space inside a field name is refused": get("/hello.txt", "X A: b"),
                    "A NUL in a field name is refused": get("/hello.txt", "X\0A: b"),
                    "A control character in a field name is refused":
                        get("/hello.txt", "X\u{01}A: b"),
                    "A DEL in a field name is refused": get("/hello.txt", "X\u{7F}A: b"),
                    "An octet above ASCII in a field name is refused":
                        get("/hello.txt", "X\u{E9}A: b"),
                    "A no-break space behind a field name is refused":
                        get("/hello.txt", "X-A\u{A0}: b"),
                    "A next-line octet behind a field name is refused":
                        get("/hello.txt", "X-A\u{85}: b"),
                    "A vertical tab behind a field name is refused":
                        get("/hello.txt", "X-A\u{0B}: b"),
                ]
            )

        private static let lines =
            rows(
                "RFC 9112 §5.1",
                .refused,
                [
                    "A space before the colon is refused": get("/hello.txt", "X-A : b"),
                    "A tab before the colon is refused": get("/hello.txt", "X-A\t: b"),
                    "A space before the colon is refused byte by byte":
                        get("/hello.txt", "X-A : b").paced(1),
                    "A line without colon is refused": get("/hello.txt", "X-A"),
                    "A line without colon but with a value is refused": get("/hello.txt", "X-A b"),
                ]
            )
            + rows(
                "RFC 9112 §5.2",
                .refused,
                [
                    "A line folded by a space is refused": get("/hello.txt", "X-A: b", " c"),
                    "A line folded by a tab is refused": get("/hello.txt", "X-A: b", "\tc"),
                    "A line folded before its value is refused": get("/hello.txt", "X-A:", " b"),
                    "A line folded to nothing is refused": get("/hello.txt", "X-A: b", " "),
                    "A line folded into a field is refused": get("/hello.txt", "X-A: b", " X-B: c"),
                    "A folded line is refused byte by byte":
                        get("/hello.txt", "X-A: b", " c").paced(1),
                ]
            )
            + rows(
                "RFC 9112 §2.2",
                .refused,
                [
                    "A first field line that starts with a space is refused":
                        request("GET /hello.txt HTTP/1.1", " \(host)"),
                    "A first field line that starts with a tab is refused":
                        request("GET /hello.txt HTTP/1.1", "\t\(host)"),
                    "A blank line before the fields is refused":
                        request("GET /hello.txt HTTP/1.1", " ", host),
                ]
            )

        private static let values =
            (Array(0x01...0x08) + [0x0B, 0x0C, 0x0E, 0x1B, 0x1F, 0x7F]).map { (code: UInt8) in
                Case(
                    "A control character \(code) in a value is refused",
                    "RFC 9110 §5.5",
                    get("/hello.txt", "X-A: b\(Character(Unicode.Scalar(code)))c"),
                    .refused
                )
            }
            + rows(
                "RFC 9110 §5.5",
                .refused,
                [
                    "A NUL in a value is refused": get("/hello.txt", "X-A: b\0c"),
                    "A NUL before a value is refused": get("/hello.txt", "X-A: \0b"),
                    "A NUL behind a value is refused": get("/hello.txt", "X-A: b\0"),
                    "A NUL in a value is refused byte by byte":
                        get("/hello.txt", "X-A: b\0c").paced(1),
                    "A bare CR in a value is refused": get("/hello.txt", "X-A: b\rc"),
                    "A bare CR before a value is refused": get("/hello.txt", "X-A:\rb"),
                    "A bare CR behind a value is refused": get("/hello.txt", "X-A: b\r"),
                    "A bare CR that would start a field is refused":
                        get("/hello.txt", "X-A: b\rX-B: c"),
                    "A bare CR in a value is refused byte by byte":
                        get("/hello.txt", "X-A: b\rc").paced(1),
                    "A bare LF in a value is refused": get("/hello.txt", "X-A: b\nc"),
                    "A bare LF that would start a field is refused":
                        get("/hello.txt", "X-A: b\nX-B: c"),
                    "A bare LF before a value is refused": get("/hello.txt", "X-A:\n b"),
                ]
            )

        private static let start = "GET /hello.txt HTTP/1.1\r\nHost: plugboard.test"

        private static let ends = rows(
            "RFC 9112 §2.2",
            .refused,
            [
                "A bare LF ends no field line": "\(start)\nX-A: b\r\n\r\n",
                "A bare CR ends no field line": "\(start)\rX-A: b\r\n\r\n",
                "LF CR ends no field line": "\(start)\n\rX-A: b\r\n\r\n",
                "CR CR LF ends no field line": "\(start)\r\r\nX-A: b\r\n\r\n",
                "CRLF LF ends no head": "\(start)\r\n\n",
                "LF LF ends no head": "\(start)\n\n",
                "LF CRLF ends no head": "\(start)\n\r\n",
                "CRLF CR CRLF ends no head": "\(start)\r\n\r\r\n",
                "CRLF CR and a letter ends no head": "\(start)\r\n\rX: b\r\n\r\n",
                "A blank line ends no head": "\(start)\r\n \r\n\r\n",
                "A NUL line ends no head": "\(start)\r\n\0\r\n\r\n",
            ]
        )
    }
}
