import Testing

extension Conformance {
    @Suite("Host")
    struct HostTests {
        @Test("Host", arguments: cases)
        func holds(_ row: Case) throws { try row.run() }

        static let cases = valid + invalid + count + version10 + leftToUs

        private static func hosted(_ value: String) -> Wire {
            request("GET /hello.txt HTTP/1.1", "Host: \(value)")
        }

        private static let valid =
            rows(
                "RFC 9110 §7.2",
                .status(200),
                [
                    "A name is a host": hosted("plugboard.test"),
                    "A name with a port is a host": hosted("plugboard.test:8080"),
                    "A name with an empty port is a host": hosted("plugboard.test:"),
                    "A name without dots is a host": hosted("localhost"),
                    "A name that ends in its dot is a host": hosted("plugboard.test."),
                    "An upper-case name is a host": hosted("PLUGBOARD.TEST"),
                    "A name with an underscore is a host": hosted("plug_board.test"),
                    "A name with a percent-encoded octet is a host": hosted("pl%75gboard.test"),
                    "A name with sub-delimiters is a host": hosted("a!b$c&d'e(f)g*h+i;j=k"),
                    "An IPv4 address is a host": hosted("127.0.0.1"),
                    "An IPv4 address with a port is a host": hosted("127.0.0.1:80"),
                    "An IPv6 address is a host": hosted("[::1]"),
                    "An IPv6 address with a port is a host": hosted("[2001:db8::7]:8080"),
                    "An IPv6 address of eight groups is a host": hosted("[1:2:3:4:5:6:7:8]"),
                    "An IPv6 address that ends in IPv4 is a host": hosted("[::ffff:192.0.2.1]"),
                    "Spaces around the value are not the value": hosted("  plugboard.test  "),
                    "Tabs around the value are not the value": hosted("\tplugboard.test\t"),
                    "The field name has no case":
                        request("GET /hello.txt HTTP/1.1", "hOST: plugboard.test"),
                    "Host may come last":
                        request("GET /hello.txt HTTP/1.1", "Accept: */*", "X: y", host),
                    "Host needs no space before its value":
                        request("GET /hello.txt HTTP/1.1", "Host:plugboard.test"),
                ]
            )

        private static let invalid = rows(
            "RFC 9112 §3.2",
            .refused,
            [
                "A host with a path is refused": hosted("plugboard.test/hello"),
                "A host with a trailing slash is refused": hosted("plugboard.test/"),
                "A host with a query is refused": hosted("plugboard.test?a"),
                "A host with a fragment is refused": hosted("plugboard.test#a"),
                "A host with user information is refused": hosted("user@plugboard.test"),
                "A host with a password is refused": hosted("user:word@plugboard.test"),
                "A host with a scheme is refused": hosted("http://plugboard.test"),
                "A list of hosts is refused": hosted("plugboard.test, other.test"),
                "Two hosts between spaces are refused": hosted("plugboard.test other.test"),
                "Two hosts between tabs are refused": hosted("plugboard.test\tother.test"),
                "A host with two ports is refused": hosted("plugboard.test:80:80"),
                "A port of letters is refused": hosted("plugboard.test:http"),
                "A port with a sign is refused": hosted("plugboard.test:+80"),
                "A negative port is refused": hosted("plugboard.test:-1"),
                "A port behind a space is refused": hosted("plugboard.test: 80"),
                "A port in hexadecimal is refused": hosted("plugboard.test:0x50"),
                "A port with digits of another script is refused":
                    hosted("plugboard.test:\u{D9}\u{A1}"),
                "An IPv6 address without brackets is refused": hosted("2001:db8::7"),
                "An open bracket is refused": hosted("[::1"),
                "A closing bracket alone is refused": hosted("::1]"),
                "Empty brackets are refused": hosted("[]"),
                // A URI of no host is invalid (RFC 9110 §4.2.1).
                "An empty Host is refused": hosted(""),
                "A Host of spaces alone is refused": hosted("   "),
                "A leading zero in an IPv4 address within an IPv6 one is refused":
                    hosted("[::ffff:192.0.02.1]"),
                "Zeros before an IPv4 address within an IPv6 one are refused":
                    hosted("[::ffff:001.002.003.004]"),
                "Brackets around a name are refused": hosted("[plugboard.test]"),
                "Letters behind the brackets are refused": hosted("[::1]x"),
                "An IPv6 address with a wrong digit is refused": hosted("[::g]"),
                "An IPv6 address of nine groups is refused": hosted("[1:2:3:4:5:6:7:8:9]"),
                "An IPv6 address with two gaps is refused": hosted("[1::2::3]"),
                "An IPv6 address of five digits is refused": hosted("[12345::1]"),
                "A backslash in a host is refused": hosted("plugboard.test\\x"),
                "A quote in a host is refused": hosted("\"plugboard.test\""),
                "Angle brackets in a host are refused": hosted("<plugboard.test>"),
                "Braces in a host are refused": hosted("{plugboard}.test"),
                "A caret in a host is refused": hosted("plug^board.test"),
                "A bar in a host is refused": hosted("plug|board.test"),
                "A backtick in a host is refused": hosted("plug`board.test"),
                "A bad percent sign in a host is refused": hosted("pl%zzgboard.test"),
                "A percent sign at the end of a host is refused": hosted("plugboard.test%"),
                "An octet above ASCII in a host is refused": hosted("pl\u{FC}gboard.test"),
                "UTF-8 in a host is refused": hosted("pl\u{C3}\u{BC}gboard.test"),
                "A no-break space around a host is refused": hosted("\u{A0}plugboard.test"),
                "A NUL in a host is refused": hosted("plugboard.test\0.evil.test"),
                "A DEL in a host is refused": hosted("plugboard\u{7F}.test"),
                "A folded host is refused": hosted("plugboard.test\r\n .evil.test"),
                "A space before the colon of Host is refused":
                    request("GET /hello.txt HTTP/1.1", "Host : plugboard.test"),
            ]
        )

        private static let count = rows(
            "RFC 9112 §3.2",
            .refused,
            [
                "A request without Host is refused": request("GET /hello.txt HTTP/1.1"),
                "A request without Host but with others is refused":
                    request("GET /hello.txt HTTP/1.1", "Accept: */*", "X-Host: plugboard.test"),
                "X-Forwarded-Host is no Host":
                    request("GET /hello.txt HTTP/1.1", "X-Forwarded-Host: plugboard.test"),
                "Two equal Hosts are refused": get("/hello.txt", host),
                "Two Hosts are refused": get("/hello.txt", "Host: other.test"),
                "Two Hosts in different case are refused": get("/hello.txt", "HOST: other.test"),
                "Two Hosts far apart are refused":
                    get("/hello.txt", "Accept: */*", "X: y", "host: plugboard.test"),
                "A second empty Host is refused": get("/hello.txt", "Host:"),
                "A request of HTTP/1.2 without Host is refused":
                    request("GET /hello.txt HTTP/1.2"),
            ]
        )

        private static let version10 =
            rows(
                "RFC 9112 §3.2",
                .status(200, closes: true),
                [
                    "HTTP/1.0 needs no Host": request("GET /hello.txt HTTP/1.0"),
                    "HTTP/1.0 may have a Host": request("GET /hello.txt HTTP/1.0", host),
                ]
            )
            + rows(
                "RFC 9112 §3.2",
                .refused,
                [
                    "Two Hosts are refused on HTTP/1.0 too":
                        request("GET /hello.txt HTTP/1.0", host, "Host: other.test"),
                    "An invalid Host is refused on HTTP/1.0 too":
                        request("GET /hello.txt HTTP/1.0", "Host: a/b"),
                ]
            )

        private static let leftToUs = rows(
            "RFC 3986 §3.2",
            .servedOrRefused(),
            [
                // The grammar admits it; an http URI has no such authority (RFC 9110 §4.2.1).
                "A port without host is served or refused": hosted(":80"),
                "A port beyond 65535 is served or refused": hosted("plugboard.test:99999"),
                "A comma in a host is served or refused": hosted("plugboard.test,other.test"),
                "An address of a future version is served or refused": hosted("[v1.fe80::a]"),
            ]
        )
    }
}
