import Testing

extension Conformance {
    @Suite("Chunked")
    struct ChunkedTests {
        @Test("the chunked coding", arguments: cases)
        func holds(_ row: Case) throws { try row.run() }

        static let cases =
            served + extensions + trailers + sizes + overflows + lines + data + badExtensions
            + badTrailers + excess + leftToUs

        /// The valid body with `extension` on its only chunk.
        private static func extended(_ text: String) -> Wire {
            chunked("c\(text)\r\n\(ada)\r\n0\r\n\r\n")
        }

        /// The valid body with these trailer lines.
        private static func trailed(_ text: String) -> Wire {
            chunked("c\r\n\(ada)\r\n0\r\n\(text)\r\n")
        }

        /// The valid body announced by `size`.
        private static func sized(_ size: String) -> Wire {
            chunked("\(size)\r\n\(ada)\r\n0\r\n\r\n")
        }

        private static let served =
            rows(
                "RFC 9112 §7.1",
                .status(200),
                [
                    "One chunk is a body": sized("c"),
                    "A size in capitals is a size": sized("C"),
                    "A size with leading zeros is a size": sized("000c"),
                    "Two chunks are a body":
                        chunked("6\r\n{\"user\r\n6\r\n\":\"a\"}\r\n0\r\n\r\n"),
                    "Chunks of one byte are a body":
                        chunked(ada.map { "1\r\n\($0)\r\n" }.joined() + "0\r\n\r\n"),
                    "Chunks in pieces of three bytes are a body":
                        chunked("6\r\n{\"user\r\n6\r\n\":\"a\"}\r\n0\r\n\r\n").paced(3),
                    "Chunks that come byte by byte are a body":
                        chunked("6\r\n{\"user\r\n6\r\n\":\"a\"}\r\n0\r\n\r\n").paced(1),
                    "A last chunk of many zeros is the last": chunked("c\r\n\(ada)\r\n000\r\n\r\n"),
                    "No chunk but the last is an empty body": chunked("0\r\n\r\n"),
                    "A CRLF inside a chunk is data":
                        chunked("e\r\n{\"user\":\r\n\"a\"}\r\n0\r\n\r\n"),
                    "A size of two digits is a size":
                        chunked("1a\r\n{\"user\":\"abcdefghijklmno\"}\r\n0\r\n\r\n"),
                ]
            )
            + rows(
                "RFC 9112 §7.1",
                .status(in: [400, 422]),
                [
                    "What looks like a last chunk inside a chunk is data":
                        chunked("5\r\n0\r\n\r\n\r\n0\r\n\r\n"),
                    "What looks like a request inside a chunk is data":
                        chunked("18\r\nGET /smuggled HTTP/1.1\r\n\r\n0\r\n\r\n"),
                ]
            )

        private static let extensions = rows(
            "RFC 9112 §7.1.1",
            .status(200),
            [
                "An extension is ignored": extended(";a"),
                "An extension with a value is ignored": extended(";a=b"),
                "An extension with a quoted value is ignored": extended(";a=\"b c\""),
                "An extension with a quoted semicolon is ignored": extended(";a=\";\""),
                "An extension with an escaped quote is ignored": extended(";a=\"\\\"\""),
                "An extension with an empty quoted value is ignored": extended(";a=\"\""),
                "Several extensions are ignored": extended(";a;b=c;d=\"e\""),
                "An extension of the last chunk is ignored":
                    chunked("c\r\n\(ada)\r\n0;a=b\r\n\r\n"),
                "Extensions that come byte by byte are ignored": extended(";a=\"b;c\"").paced(1),
            ]
        )

        private static let trailers =
            rows(
                "RFC 9112 §7.1.2",
                .status(200),
                [
                    "A trailer is read and discarded": trailed("X-A: b\r\n"),
                    "Several trailers are read and discarded": trailed(
                        "X-A: b\r\nX-B:\r\nx-a: c\r\n"
                    ),
                    "Trailers that come byte by byte are read": trailed("X-A: b\r\n").paced(1),
                    "What looks like a request in a trailer is its value":
                        trailed("X:GET /smuggled HTTP/1.1\r\n"),
                ]
            )
            + rows(
                "RFC 9110 §6.5.1",
                .servedOrRefused(),
                [
                    "A Content-Length in the trailers frames nothing":
                        trailed("Content-Length: 40\r\n"),
                    "A Transfer-Encoding in the trailers frames nothing":
                        trailed("Transfer-Encoding: chunked\r\n"),
                    "A Host in the trailers routes nothing": trailed("Host: other.test\r\n"),
                    "A Connection in the trailers closes nothing": trailed("Connection: close\r\n"),
                    "An Expect in the trailers asks nothing": trailed("Expect: 100-continue\r\n"),
                ]
            )

        private static let sizes = rows(
            "RFC 9112 §7.1",
            .refused,
            [
                "An empty size is refused": sized(""),
                "A size with a prefix is refused": sized("0xc"),
                "A size with a capital prefix is refused": sized("0XC"),
                "A size with a plus is refused": sized("+c"),
                "A negative size is refused": sized("-c"),
                "A negative zero is refused": chunked("c\r\n\(ada)\r\n-0\r\n\r\n"),
                "A size with a separator is refused": sized("0_c"),
                "A size with a space before is refused": sized(" c"),
                "A size with a tab before is refused": sized("\tc"),
                "A size with a space behind is refused": sized("c "),
                "A size with a tab behind is refused": sized("c\t"),
                "A size with a space inside is refused": sized("0 c"),
                "A size with a letter that is no digit is refused": sized("g"),
                "A size with a letter behind is refused": sized("cg"),
                "A size with a suffix is refused": sized("ch"),
                "A size with a point is refused": sized("c.0"),
                "A size with a comma is refused": sized("c,a"),
                "A size with an equals sign is refused": sized("c=a"),
                "A quoted size is refused": sized("\"c\""),
                "A size with a NUL is refused": sized("c\0"),
                "A size with a vertical tab is refused": sized("c\u{0B}"),
                "A size with a no-break space is refused": sized("c\u{A0}"),
                "A size in digits of another script is refused": sized("\u{D9}\u{A1}"),
                "An empty last chunk is refused": chunked("c\r\n\(ada)\r\n\r\n\r\n"),
                "A last chunk with a prefix is refused": chunked("c\r\n\(ada)\r\n0x0\r\n\r\n"),
                "A last chunk with a separator is refused": chunked("c\r\n\(ada)\r\n0_0\r\n\r\n"),
                "A bad size is refused byte by byte": sized("0xc").paced(1),
            ]
        )

        private static let overflows = rows(
            "RFC 9112 §7.1",
            .finals([[400, 413]], .closed),
            [
                "A size of 2^31 is too large": sized("80000000"),
                "A size that wraps to 12 in 32 bits is too large": sized("10000000c"),
                "A size of 2^63 - 1 is too large": sized("7fffffffffffffff"),
                "A size of 2^63 is too large": sized("8000000000000000"),
                "A size of 2^64 - 1 is too large": sized("ffffffffffffffff"),
                "A size of 2^64 - 2 is too large": sized("fffffffffffffffe"),
                "A size of 2^64 is too large": sized("10000000000000000"),
                "A size that wraps to 12 in 64 bits is too large": sized("1000000000000000c"),
                "A size of a hundred digits is too large":
                    sized(String(repeating: "f", count: 100)),
                "A second size that overflows the sum is too large":
                    chunked("c\r\n\(ada)\r\nfffffffffffffff4\r\n0\r\n\r\n"),
            ]
        )

        private static let lines = rows(
            "RFC 9112 §7.1",
            .refused,
            [
                "A bare LF ends no size": chunked("c\n\(ada)\r\n0\r\n\r\n"),
                "A bare CR ends no size": chunked("c\r\(ada)\r\n0\r\n\r\n"),
                "CR CR LF ends no size": chunked("c\r\r\n\(ada)\r\n0\r\n\r\n"),
                "LF CR ends no size": chunked("c\n\r\(ada)\r\n0\r\n\r\n"),
                "CR and a letter end no size": chunked("c\rX\(ada)\r\n0\r\n\r\n"),
                "A bare LF ends no data": chunked("c\r\n\(ada)\n0\r\n\r\n"),
                "A bare CR ends no data": chunked("c\r\n\(ada)\r0\r\n\r\n"),
                "LF CR ends no data": chunked("c\r\n\(ada)\n\r0\r\n\r\n"),
                "CR CR LF ends no data": chunked("c\r\n\(ada)\r\r\n0\r\n\r\n"),
                "A bare LF ends no last chunk": chunked("c\r\n\(ada)\r\n0\n\r\n"),
                "LF LF ends no body": chunked("c\r\n\(ada)\r\n0\n\n"),
                "CRLF LF ends no body": chunked("c\r\n\(ada)\r\n0\r\n\n"),
                "CRLF CR CRLF ends no body": chunked("c\r\n\(ada)\r\n0\r\n\r\r\n"),
                "CRLF and two letters end no body": chunked("c\r\n\(ada)\r\n0\r\nXX\r\n\r\n"),
                "A body of bare LFs is refused": chunked("c\n\(ada)\n0\n\n"),
                "A body of bare LFs is refused byte by byte":
                    chunked("c\n\(ada)\n0\n\n").paced(1),
            ]
        )

        private static let data = rows(
            "RFC 9112 §7.1",
            .refused,
            [
                "Data without CRLF is refused": chunked("c\r\n\(ada)0\r\n\r\n"),
                "Data longer than its size is refused": chunked("c\r\n\(ada)x\r\n0\r\n\r\n"),
                "Data two longer than its size is refused": chunked("a\r\n\(ada)\r\n0\r\n\r\n"),
                "Data shorter than its size is refused": chunked("d\r\n\(ada)\r\n0\r\n\r\n"),
                "A CRLF before the size is refused": chunked("\r\nc\r\n\(ada)\r\n0\r\n\r\n"),
                "A CRLF between chunks is refused": chunked("c\r\n\(ada)\r\n\r\n0\r\n\r\n"),
                "A body that is not chunked is refused": chunked("\(ada)\r\n\r\n"),
            ]
        )

        private static let badExtensions = rows(
            "RFC 9112 §7.1.1",
            .refused,
            [
                "A bare LF in an extension is refused": extended(";a\nb"),
                "A bare LF behind an extension is refused":
                    chunked("c;a\n\(ada)\r\n0\r\n\r\n"),
                "A bare LF behind a semicolon is refused": chunked("c;\n\(ada)\r\n0\r\n\r\n"),
                "A bare CR in an extension is refused": extended(";a\rb"),
                "A bare CR before an extension is refused": extended("\r;a"),
                "A bare CR before an extension's name is refused": extended(";\ra"),
                "CR CR behind an extension is refused": chunked("c;a=b\r\r\(ada)\r\n0\r\n\r\n"),
                "A NUL in an extension is refused": extended(";a\0b"),
                "A control character in an extension is refused": extended(";a\u{01}"),
                "A DEL in an extension is refused": extended(";a\u{7F}"),
                "An octet above ASCII in an extension's name is refused": extended(";\u{E9}"),
                "A semicolon without extension is refused": extended(";"),
                "Two semicolons are refused": extended(";;a"),
                "An extension without name is refused": extended(";=b"),
                "An extension without value is refused": extended(";a="),
                "An extension with two words is refused": extended(";a b"),
                "An extension with a comma is refused": extended(";a,b"),
                "An open quote is refused": extended(";a=\"b"),
                "A quote with letters behind is refused": extended(";a=\"b\"c"),
                "A bare LF in a quoted value is refused": extended(";a=\"b\nc\""),
                "A bare CR in a quoted value is refused": extended(";a=\"b\rc\""),
                "A CRLF in a quoted value is refused": extended(";a=\"b\r\nc\""),
                "An escaped LF in a quoted value is refused": extended(";a=\"\\\n\""),
                "A NUL in a quoted value is refused": extended(";a=\"\0\""),
                "A bad extension of the last chunk is refused":
                    chunked("c\r\n\(ada)\r\n0;a\nb\r\n\r\n"),
            ]
        )

        private static let badTrailers = rows(
            "RFC 9112 §7.1.2",
            .refused,
            [
                "A trailer that ends in a bare LF is refused": trailed("X-A: b\n"),
                "A trailer with a bare LF is refused": trailed("X-A: b\nc\r\n"),
                "A trailer with a bare CR is refused": trailed("X-A: b\rc\r\n"),
                "A trailer with a NUL is refused": trailed("X-A: b\0\r\n"),
                "A folded trailer is refused": trailed("X-A: b\r\n c\r\n"),
                "A trailer that starts with a space is refused": trailed(" X-A: b\r\n"),
                "A trailer with a space before its colon is refused": trailed("X-A : b\r\n"),
                "A trailer without colon is refused": trailed("X-A\r\n"),
                "A trailer without name is refused": trailed(": b\r\n"),
                "A trailer with a bracket in its name is refused": trailed("X[A]: b\r\n"),
                "A request for a trailer is refused": trailed("GET /smuggled HTTP/1.1\r\n"),
            ]
        )

        private static let excess = rows(
            "RFC 9112 §7.1.1",
            .finals([[400, 413, 431]], .closed),
            [
                "An extension of 64 KiB is too large":
                    extended(";a=" + String(repeating: "b", count: 65_536)),
                "An extension that never ends is too large":
                    chunked("c;a=" + String(repeating: "b", count: 65_536)),
                "A size of 64 KiB of zeros is too large":
                    sized(String(repeating: "0", count: 65_536) + "c"),
                "A trailer of 64 KiB is too large":
                    trailed("X-A: " + String(repeating: "b", count: 65_536) + "\r\n"),
                "A thousand trailers are too many":
                    trailed(String(repeating: "X-A: b\r\n", count: 1000)),
            ]
        )

        private static let leftToUs = rows(
            "RFC 9112 §7.1.1",
            .servedOrRefused(),
            [
                // BWS: bad, to be parsed all the same; a strict recipient refuses it.
                "A space before a semicolon is served or refused": extended(" ;a=b"),
                "A space behind a semicolon is served or refused": extended("; a=b"),
                "Spaces around an equals sign are served or refused": extended(";a = b"),
                "A tab before a semicolon is served or refused": extended("\t;a"),
                "An octet above ASCII in a quoted value is served or refused":
                    extended(";a=\"\u{E9}\""),
                "Forty leading zeros are served or refused":
                    sized(String(repeating: "0", count: 40) + "c"),
            ]
        )
    }
}
