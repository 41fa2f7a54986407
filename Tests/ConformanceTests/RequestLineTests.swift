import Testing

extension Conformance {
    @Suite("Request line")
    struct RequestLineTests {
        @Test("the request line", arguments: cases)
        func holds(_ row: Case) throws { try row.run() }

        static let cases = served + refused + versions + leftToUs

        private static let fields = "\r\nHost: plugboard.test\r\n\r\n"

        private static let served =
            rows(
                "RFC 9112 §3",
                .status(200),
                [
                    "A plain GET is answered": get("/hello.txt"),
                    "A GET that comes byte by byte is answered": get("/hello.txt").paced(1),
                    "A GET in pieces of two bytes is answered": get("/hello.txt").paced(2),
                    "A GET in pieces of seven bytes is answered": get("/hello.txt").paced(7),
                ]
            )
            + rows(
                "RFC 9112 §2.2",
                .status(200),
                [
                    "One empty line before the request line is ignored":
                        "\r\nGET /hello.txt HTTP/1.1\(fields)",
                    "One empty line before the request line is ignored, byte by byte":
                        Wire("\r\nGET /hello.txt HTTP/1.1\(fields)").paced(1),
                ]
            )
            + rows(
                "RFC 9110 §2.5",
                .status(200),
                [
                    "HTTP/1.2 is served as HTTP/1.1": "GET /hello.txt HTTP/1.2\(fields)",
                    "HTTP/1.9 is served as HTTP/1.1": "GET /hello.txt HTTP/1.9\(fields)",
                ]
            )

        private static let refused =
            rows(
                "RFC 9112 §3",
                .refused,
                [
                    "Two spaces after the method are refused": "GET  /hello.txt HTTP/1.1\(fields)",
                    "Two spaces before the version are refused":
                        "GET /hello.txt  HTTP/1.1\(fields)",
                    "A space before the method is refused": " GET /hello.txt HTTP/1.1\(fields)",
                    "A tab before the method is refused": "\tGET /hello.txt HTTP/1.1\(fields)",
                    "A space after the version is refused": "GET /hello.txt HTTP/1.1 \(fields)",
                    "A tab after the version is refused": "GET /hello.txt HTTP/1.1\t\(fields)",
                    "A tab after the method is refused": "GET\t/hello.txt HTTP/1.1\(fields)",
                    "A tab before the version is refused": "GET /hello.txt\tHTTP/1.1\(fields)",
                    "A vertical tab after the method is refused":
                        "GET\u{0B}/hello.txt HTTP/1.1\(fields)",
                    "A form feed before the version is refused":
                        "GET /hello.txt\u{0C}HTTP/1.1\(fields)",
                    "A no-break space as the separator is refused":
                        "GET\u{A0}/hello.txt HTTP/1.1\(fields)",
                    "A request line without target is refused": "GET HTTP/1.1\(fields)",
                    "A request line with an empty target is refused": "GET  HTTP/1.1\(fields)",
                    "A request line of the method alone is refused": "GET\(fields)",
                    "A request line of four words is refused": "GET /hello.txt x HTTP/1.1\(fields)",
                    "A second version is refused": "GET /hello.txt HTTP/1.1 HTTP/1.1\(fields)",
                    "A field line in place of the request line is refused":
                        "Host: plugboard.test\r\n\r\n",
                    "A response in place of a request is refused": "HTTP/1.1 200 OK\(fields)",
                    "A line of spaces before the request line is refused":
                        "  \r\nGET /hello.txt HTTP/1.1\(fields)",
                ]
            )
            + rows(
                "RFC 9110 §9.1",
                .refused,
                [
                    "An empty method is refused": " /hello.txt HTTP/1.1\(fields)",
                    "A method with an at sign is refused": "G@T /hello.txt HTTP/1.1\(fields)",
                    "A method with parentheses is refused": "GET() /hello.txt HTTP/1.1\(fields)",
                    "A method with a colon is refused": "GET: /hello.txt HTTP/1.1\(fields)",
                    "A method with a quote is refused": "\"GET\" /hello.txt HTTP/1.1\(fields)",
                    "A method with braces is refused": "{GET} /hello.txt HTTP/1.1\(fields)",
                    "A method with a slash is refused": "GET/1 /hello.txt HTTP/1.1\(fields)",
                    "A method with a NUL is refused": "GET\0 /hello.txt HTTP/1.1\(fields)",
                    "A method with a DEL is refused": "GET\u{7F} /hello.txt HTTP/1.1\(fields)",
                    "A method with an octet above ASCII is refused":
                        "\u{E9}GET /hello.txt HTTP/1.1\(fields)",
                    "A byte order mark before the method is refused":
                        "\u{EF}\u{BB}\u{BF}GET /hello.txt HTTP/1.1\(fields)",
                ]
            )
            + rows(
                "RFC 9112 §2.2",
                .refused,
                [
                    "A bare LF ends no request line":
                        "GET /hello.txt HTTP/1.1\nHost: plugboard.test\r\n\r\n",
                    "A bare CR ends no request line":
                        "GET /hello.txt HTTP/1.1\rHost: plugboard.test\r\n\r\n",
                    "LF CR ends no request line":
                        "GET /hello.txt HTTP/1.1\n\rHost: plugboard.test\r\n\r\n",
                    "CR CR LF ends no request line":
                        "GET /hello.txt HTTP/1.1\r\r\nHost: plugboard.test\r\n\r\n",
                    "A bare CR inside the target is refused": "GET /hello\r.txt HTTP/1.1\(fields)",
                    "A bare LF as the separator is refused": "GET /hello.txt\nHTTP/1.1\(fields)",
                    "A bare CR as the separator is refused": "GET\r/hello.txt HTTP/1.1\(fields)",
                    "A bare LF before the request line is refused":
                        "\nGET /hello.txt HTTP/1.1\(fields)",
                    "A bare CR before the request line is refused":
                        "\rGET /hello.txt HTTP/1.1\(fields)",
                    "A head of bare LFs only is refused":
                        "GET /hello.txt HTTP/1.1\nHost: plugboard.test\n\n",
                    "A head of bare CRs only is refused":
                        "GET /hello.txt HTTP/1.1\rHost: plugboard.test\r\r\n\r\n",
                    "A head of bare LFs only is refused byte by byte":
                        Wire("GET /hello.txt HTTP/1.1\nHost: plugboard.test\n\n").paced(1),
                ]
            )

        private static let unsupported = Expectation.finals([[505]], .closed)
        private static let malformed = Expectation.finals([[400, 505]], .closed)

        private static let versions =
            rows(
                "RFC 9110 §15.6.6",
                unsupported,
                [
                    "HTTP/2.0 in a request line is not supported": "GET / HTTP/2.0\(fields)",
                    "HTTP/2.1 in a request line is not supported": "GET / HTTP/2.1\(fields)",
                    "HTTP/3.0 in a request line is not supported": "GET / HTTP/3.0\(fields)",
                    "HTTP/9.9 in a request line is not supported": "GET / HTTP/9.9\(fields)",
                ]
            )
            + rows(
                "RFC 9112 §2.3",
                malformed,
                [
                    "HTTP/0.9 by name is refused": "GET / HTTP/0.9\(fields)",
                    "A request line without version is refused": "GET /hello.txt\(fields)",
                    "A request line with a trailing space for version is refused":
                        "GET /hello.txt \(fields)",
                    "A lower-case HTTP-name is refused": "GET /hello.txt http/1.1\(fields)",
                    "A mixed-case HTTP-name is refused": "GET /hello.txt Http/1.1\(fields)",
                    "Another protocol name is refused": "GET /hello.txt HTPP/1.1\(fields)",
                    "A longer protocol name is refused": "GET /hello.txt HTTPS/1.1\(fields)",
                    "A version without dot is refused": "GET /hello.txt HTTP/11\(fields)",
                    "A version without minor number is refused": "GET /hello.txt HTTP/1\(fields)",
                    "A version that ends in its dot is refused": "GET /hello.txt HTTP/1.\(fields)",
                    "A version without major number is refused": "GET /hello.txt HTTP/.1\(fields)",
                    "A version with a leading zero is refused": "GET /hello.txt HTTP/01.1\(fields)",
                    "A minor version with a leading zero is refused":
                        "GET /hello.txt HTTP/1.01\(fields)",
                    "A minor version of two digits is refused": "GET /hello.txt HTTP/1.10\(fields)",
                    "A major version of two digits is refused": "GET /hello.txt HTTP/11.1\(fields)",
                    "A version that wraps at 256 is refused":
                        "GET /hello.txt HTTP/257.257\(fields)",
                    "A version of three numbers is refused": "GET /hello.txt HTTP/1.1.1\(fields)",
                    "A version with a comma is refused": "GET /hello.txt HTTP/1,1\(fields)",
                    "A version with letters behind is refused": "GET /hello.txt HTTP/1.1x\(fields)",
                    "A version with a sign is refused": "GET /hello.txt HTTP/+1.1\(fields)",
                    "A negative version is refused": "GET /hello.txt HTTP/-1.1\(fields)",
                    "A version of letters is refused": "GET /hello.txt HTTP/a.b\(fields)",
                    "A space after the slash is refused": "GET /hello.txt HTTP/ 1.1\(fields)",
                    "A space before the slash is refused": "GET /hello.txt HTTP /1.1\(fields)",
                    "A space inside the version is refused": "GET /hello.txt HTTP/1. 1\(fields)",
                    "A NUL behind the version is refused": "GET /hello.txt HTTP/1.1\0\(fields)",
                    "A digit of another script is refused":
                        "GET /hello.txt HTTP/\u{D9}\u{A1}.\u{D9}\u{A1}\(fields)",
                ]
            )

        private static let leftToUs =
            rows(
                "RFC 9112 §2.2",
                .servedOrRefused(),
                [
                    "Two empty lines before the request line are ignored or refused":
                        "\r\n\r\nGET /hello.txt HTTP/1.1\(fields)"
                ]
            )
            + rows(
                "RFC 9112 §2.2",
                .oneOf([.finals([[400, 505]], .closed), .closesWithoutResponse]),
                [
                    "Three words of another protocol are no HTTP/1.1 request":
                        "INVALID CONNECTION PREFACE\r\n\r\n",
                    "A TLS handshake is no HTTP/1.1 request":
                        "\u{16}\u{03}\u{01}\u{00}\u{05}\u{01}\u{00}\u{00}\u{01}\u{00}\r\n\r\n",
                    "Octets of no meaning are no HTTP/1.1 request":
                        "\0\u{FF}\u{FE}\u{01}\u{80}\u{7F}\r\n\r\n",
                ]
            )
            + rows(
                "RFC 9113 §3.4",
                .finals([[200], [400, 505]], .closed),
                [
                    "The HTTP/2 preface behind a request is no request":
                        "GET /hello.txt HTTP/1.1\(fields)PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
                ]
            )
            + rows(
                "RFC 9112 §8",
                .oneOf([.finals([[400, 408]], .closed), .closesWithoutResponse]),
                [
                    "A request line that is cut off is not answered as if it were whole":
                        Wire("GET /hello.txt HTTP/1.1\r\n") + .halfClose,
                    "A head that is cut off before its empty line is not answered as if it were whole":
                        Wire("GET /hello.txt HTTP/1.1\r\nHost: plugboard.test\r\n") + .halfClose,
                    "A head that is cut off inside its last CRLF is not answered as if it were whole":
                        Wire("GET /hello.txt HTTP/1.1\r\nHost: plugboard.test\r\n\r") + .halfClose,
                    "An empty line alone is no request": Wire("\r\n") + .halfClose,
                ]
            )
            + rows(
                "RFC 9112 §9.5",
                .closesWithoutResponse,
                ["A connection without a request is closed in silence": .halfClose]
            )
    }
}
