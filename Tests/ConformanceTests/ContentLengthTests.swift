import Testing

extension Conformance {
    @Suite("Content-Length")
    struct ContentLengthTests {
        @Test("Content-Length", arguments: cases)
        func holds(_ row: Case) throws { try row.run() }

        static let cases = served + invalid + repeated + huge + leftToUs + cutOff

        private static func measured(_ value: String) -> Wire {
            like("Content-Length: \(value)", body: ada)
        }

        private static let served =
            rows(
                "RFC 9112 §6.3",
                .status(200),
                [
                    "A body of the told length is read": measured("12"),
                    "A body that comes byte by byte is read": measured("12").paced(1),
                    "A body in pieces of five bytes is read": measured("12").paced(5),
                    "A body behind its head in a write of its own is read":
                        like("Content-Length: 12") + Wire(stringLiteral: ada),
                    "A length of zero is no body": like("Content-Length: 0"),
                    "No length is no body": like(),
                    "A GET with a length of zero is served":
                        get("/hello.txt", "Content-Length: 0"),
                    "An action without input and with a length of zero is served":
                        send("POST", "/actions/Ping", "Content-Length: 0"),
                    "An action without input and without length is served":
                        send("POST", "/actions/Ping"),
                    "The field name has no case": like("CONTENT-length: 12", body: ada),
                    "Spaces around the length are not the length": measured("   12  "),
                    "Tabs around the length are not the length": measured("\t12\t"),
                    "No space before the length is needed": like("Content-Length:12", body: ada),
                ]
            )
            + rows(
                "RFC 9112 §6.3",
                .status(200, closes: true),
                [
                    "HTTP/1.0 may tell a length":
                        request(
                            "POST /photos/42/like HTTP/1.0",
                            json,
                            "Content-Length: 12",
                            body: ada
                        )
                ]
            )
            + rows(
                "RFC 9112 §6.3",
                .status(200),
                [
                    "HTTP/1.0 with keep-alive may tell a length":
                        request(
                            "POST /photos/42/like HTTP/1.0",
                            "Connection: keep-alive",
                            json,
                            "Content-Length: 12",
                            body: ada
                        )
                ]
            )

        private static let invalid = rows(
            "RFC 9112 §6.3",
            .refused,
            [
                "An empty length is refused": measured(""),
                "A blank length is refused": measured(" \t "),
                "A length with a plus is refused": measured("+12"),
                "A negative length is refused": measured("-12"),
                "A negative zero is refused": measured("-0"),
                "A plus alone is refused": measured("+"),
                "A hexadecimal length is refused": measured("0xC"),
                "A hexadecimal digit alone is refused": measured("c"),
                "An octal length is refused": measured("0o14"),
                "A binary length is refused": measured("0b1100"),
                "A length with an exponent is refused": measured("12e0"),
                "A length with a point is refused": measured("12.0"),
                "A length with a thousands separator is refused": measured("1_2"),
                "A length with a space inside is refused": measured("1 2"),
                "A length with a unit is refused": measured("12 bytes"),
                "A length with letters behind is refused": measured("12abc"),
                "A length with letters before is refused": measured("abc12"),
                "A length with a semicolon is refused": measured("12;"),
                "A length with a parameter is refused": measured("12;q=1"),
                "A quoted length is refused": measured("\"12\""),
                "A word is no length": measured("twelve"),
                "A NUL behind the length is refused": measured("12\0"),
                "A vertical tab before the length is refused": measured("\u{0B}12"),
                "A form feed behind the length is refused": measured("12\u{0C}"),
                "A no-break space before the length is refused": measured("\u{A0}12"),
                "Arabic digits are no length": measured("\u{D9}\u{A1}\u{D9}\u{A2}"),
                "Full-width digits are no length":
                    measured("\u{EF}\u{BC}\u{91}\u{EF}\u{BC}\u{92}"),
                "A superscript digit is no length": measured("1\u{B2}"),
                "A bare CR behind the length is refused": measured("12\r"),
                "A folded length is refused": measured("1\r\n 2"),
                "A length folded before its value is refused": measured("\r\n 12"),
                "A space before the colon is refused": like("Content-Length : 12", body: ada),
                "A tab before the colon is refused": like("Content-Length\t: 12", body: ada),
                "An invalid length on GET is refused": get("/hello.txt", "Content-Length: abc"),
                "A negative length on GET is refused": get("/hello.txt", "Content-Length: -1"),
                "An invalid length on HTTP/1.0 is refused":
                    request("POST /photos/42/like HTTP/1.0", "Content-Length: +0"),
                "An invalid length is refused byte by byte": measured("+12").paced(1),
                "An invalid length is refused before its body": like("Content-Length: 1x"),
            ]
        )

        private static let repeated = rows(
            "RFC 9110 §8.6",
            .refused,
            [
                "Two equal lengths on two lines are refused":
                    like("Content-Length: 12", "Content-Length: 12", body: ada),
                "Two lengths on two lines are refused":
                    like("Content-Length: 12", "Content-Length: 13", body: ada),
                "A zero and a length are refused":
                    like("Content-Length: 0", "Content-Length: 12", body: ada),
                "A length and a zero are refused":
                    like("Content-Length: 12", "Content-Length: 0", body: ada),
                "Lengths that differ in zeros are refused":
                    like("Content-Length: 12", "Content-Length: 012", body: ada),
                "An empty length before a length is refused":
                    like("Content-Length:", "Content-Length: 12", body: ada),
                "An empty length behind a length is refused":
                    like("Content-Length: 12", "Content-Length:", body: ada),
                "Two lengths in different case are refused":
                    like("Content-Length: 12", "content-length: 12", body: ada),
                "Two lengths far apart are refused":
                    like(
                        "Content-Length: 12",
                        "X: y",
                        "Accept: */*",
                        "Content-Length: 12",
                        body: ada
                    ),
                "Three equal lengths are refused":
                    like(
                        "Content-Length: 12",
                        "Content-Length: 12",
                        "Content-Length: 12",
                        body: ada
                    ),
                "Two zeros are refused": like("Content-Length: 0", "Content-Length: 0"),
                "A list of equal lengths is refused": measured("12, 12"),
                "A list without space is refused": measured("12,12"),
                "A list of lengths is refused": measured("12, 13"),
                "A list that ends empty is refused": measured("12,"),
                "A list that starts empty is refused": measured(",12"),
                "A list of nothing is refused": measured(","),
            ]
        )

        private static let tooLarge = Expectation.finals([[400, 413]], .closed)

        private static let huge = rows(
            "RFC 9110 §8.6",
            tooLarge,
            [
                "A length of 2^31 is too large": measured("2147483648"),
                "A length that wraps to 12 in 32 bits is too large": measured("4294967308"),
                "A length of 2^63 - 1 is too large": measured("9223372036854775807"),
                "A length of 2^63 is too large": measured("9223372036854775808"),
                "A length of 2^64 - 1 is too large": measured("18446744073709551615"),
                "A length of 2^64 is too large": measured("18446744073709551616"),
                "A length that wraps to 12 in 64 bits is too large":
                    measured("18446744073709551628"),
                "A length of a hundred nines is too large":
                    measured(String(repeating: "9", count: 100)),
                "A length that wraps many times is too large":
                    measured("340282366920938463463374607431768211468"),
                "A huge length on GET is too large":
                    get("/hello.txt", "Content-Length: 99999999999999999999"),
            ]
        )

        private static let leftToUs = rows(
            "RFC 9110 §8.6",
            .servedOrRefused(),
            [
                // 1*DIGIT: valid, and decimal. As octal, 012 would leave two octets to the next request.
                "A length with a leading zero is decimal or refused": measured("012"),
                "A length with many leading zeros is decimal or refused":
                    measured(String(repeating: "0", count: 40) + "12"),
                "A zero of two digits is zero or refused": like("Content-Length: 00"),
            ]
        )

        private static let cutOff = rows(
            "RFC 9112 §8",
            .oneOf([.finals([[400, 408]], .closed), .closesWithoutResponse]),
            [
                "A body that is cut off is not acted upon":
                    like("Content-Length: 12", body: "{\"user\"") + .halfClose,
                "A body that never starts is not acted upon":
                    like("Content-Length: 12") + .halfClose,
                "A body that is whole JSON but short is not acted upon":
                    like("Content-Length: 13", body: ada) + .halfClose,
                "A chunked body that is cut off is not acted upon":
                    chunked("c\r\n\(ada)\r\n") + .halfClose,
                "A chunked body cut off inside its last chunk is not acted upon":
                    chunked("c\r\n\(ada)\r\n0\r\n") + .halfClose,
            ]
        )
    }
}
