import GuardedBytes
import Testing

@testable import HTTPSyntax

@Suite("Request heads (RFC 9112 §2 to §6)")
struct RequestParserTests: RequestHeads {
    @Test("the scheme is the target's or the connection's (RFC 9112 §3.3)")
    func scheme() {
        for (target, onPlain, onTLS) in [
            ("/", Scheme.http, Scheme.https), ("http://x/", .http, .http),
            ("HTTPS://x/", .https, .https), ("https://x", .https, .https),
        ] {
            let bytes = GuardedBytes(Array("GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
            for (connection, expected) in [(Scheme.http, onPlain), (.https, onTLS)] {
                let parser = RequestParser(scheme: connection)
                #expect(parser.parse(bytes.span) == .complete)
                #expect(parser.head.scheme == expected, "\(target) over \(connection)")
            }
        }
    }

    @Test("a path accepts the bytes of RFC 3986 §3.3, and those that browsers don't encode")
    func pathBytes() {
        for byte in UInt8.min...UInt8.max where byte != UInt8(ascii: " ") {
            // pchar and "/"; the WHATWG's path percent-encode set leaves the last four, "^" until 2024.
            // "?" begins the query, and browsers send a backslash as a slash.
            let marks = Array("-._~!$&'()*+,;=:@/?[]^|".utf8)
            let isLetter = (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A
            let isDigit = byte >= 0x30 && byte <= 0x39
            let isRight = isLetter || isDigit || marks.contains(byte)
            for place in 0..<18 {
                var path = [UInt8](repeating: UInt8(ascii: "a"), count: 18)
                path[place] = byte
                let line = Array("GET /".utf8) + path + Array(" HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
                let bytes = GuardedBytes(line)
                let parser = RequestParser()
                let isEscape = byte == UInt8(ascii: "%") && place + 2 < 18
                let isRead = parser.parse(bytes.span) == .complete
                #expect(isRead == (isRight || isEscape), "\(byte) at \(place)")
            }
        }
    }

    @Test("a byte is accepted or rejected at every position of a query (RFC 3986 §3.4)")
    func queryBytes() {
        let head = Array("GET /a?".utf8)
        let rest = Array(" HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
        for byte in UInt8.min...UInt8.max where byte != UInt8(ascii: " ") {
            // What a query may have (pchar, "/" and "?"), and what browsers send in it as it is.
            // So a "%" without digits and a backslash (WHATWG URL, query percent-encode set).
            let marks = Array("-._~!$&'()*+,;=:@/?[\\]^{|}`%".utf8)
            let isLetter = (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A
            let isDigit = byte >= 0x30 && byte <= 0x39
            let isRight = isLetter || isDigit || marks.contains(byte)
            for count in 1...18 {
                for place in 0..<count {
                    var query = [UInt8](repeating: UInt8(ascii: "a"), count: count)
                    query[place] = byte
                    let bytes = GuardedBytes(head + query + rest)
                    let parser = RequestParser()
                    let isRead = parser.parse(bytes.span) == .complete
                    #expect(isRead == isRight, "\(byte) at \(place) of \(count)")
                    if isRead { #expect(parser.head.query?.elementsEqual(query) == true) }
                }
            }
        }
    }

    @Test(
        "a registered method is recognized (RFC 9110 §18.2)",
        arguments: ["PROPFIND", "QUERY", "PRI"]
    )
    func registeredMethod(name: String) {
        for method in Method.registeredNames.map(\.description) + [name] {
            withHead("\(method) / HTTP/1.1\r\nHost: x\r\n\r\n") { head in
                #expect(head.method == .registered)
                #expect(head.methodName.text == method)
            }
        }
        withHead("\(name)S / HTTP/1.1\r\nHost: x\r\n\r\n") { #expect($0.method == .unknown) }
        let small = name.lowercased()
        withHead("\(small) / HTTP/1.1\r\nHost: x\r\n\r\n") { #expect($0.method == .unknown) }
    }

    @Test("an unknown method is preserved as sent (RFC 9110 §9.1)", arguments: ["BREW", "get"])
    func unknownMethod(name: String) {
        withHead("\(name) / HTTP/1.1\r\nHost: x\r\n\r\n") { head in
            #expect(head.method == .unknown)
            #expect(head.methodName.text == name)
        }
    }

    @Test("a request line and fields are parsed")
    func complete() {
        withHead("GET /a/b?c=d HTTP/1.1\r\nHost: x:8080\r\nAccept:  text/html \t\r\n\r\nrest") {
            head in
            #expect(head.method == .get)
            #expect(head.path.text == "/a/b")
            #expect(head.query?.text == "c=d")
            #expect(head.authority.text == "x:8080")
            #expect(head.field("accept")?.text == "text/html")
            #expect(head.field("absent") == nil)
            #expect(head.length == 61)
            #expect(head.framing == .none)
            #expect(head.keepsAlive)
        }
    }

    @Test(
        "heads that RFC 9112 allows are accepted",
        arguments: [
            "GET / HTTP/1.1\nHost: a\n\n",
            "\nGET / HTTP/1.1\nHost: a\n\n",  // §2.2: an empty line before it is ignored
            "GET / HTTP/1.0\n\n",
            "GET http://b/x HTTP/1.1\nHost:\n\n",
            "GET / HTTP/1.1\nHost:a\nX:\n\n",
            "GET / HTTP/1.1\nHost: [::1]:80\n\n",
            "GET / HTTP/1.1\nHost: [::ffff:1.2.3.4]\n\n",
            "GET / HTTP/1.1\nHost: a:\n\n",
            "GET / HTTP/1.1\nhOsT: a\nX: \u{e9}\u{1F680}\ttab\n\n",
            "GET /%41%2F%7e;a=b,c@d:e/$&'()*+!~ HTTP/1.1\nHost: a\n\n",
            "GET /?a[b]={c}|d^e`f HTTP/1.1\nHost: a\n\n",
            "GET //a//b HTTP/1.1\nHost: a\n\n",
            "GET http://b/x HTTP/1.1\nHost: a\n\n",
            "GET HTTPS://b:1?q HTTP/1.1\nHost: a\n\n",
            "OPTIONS * HTTP/1.1\nHost: a\n\n",
            "CONNECT a:443 HTTP/1.1\nHost: a\n\n",
            "X-LIST!#$%&'*+-.^_`|~ / HTTP/1.1\nHost: a\n\n",
            "GET / HTTP/1.2\nHost: a\n\n",
            "POST / HTTP/1.1\nHost: a\nContent-Length: 0005\n\n",
            "POST / HTTP/1.1\nHost: a\nTransfer-Encoding: CHUNKED\n\n",
            "POST / HTTP/1.1\nHost: a\nTransfer-Encoding: , chunked,\n\n",
            "POST / HTTP/1.0\nContent-Length: 5\n\n",
        ]
    )
    func accepted(text: String) {
        #expect(status(text.crlf) == 200)
    }

    @Test("one empty line before a request is ignored, a second is rejected (RFC 9112 §2.2)")
    func emptyLines() {
        let request = "GET / HTTP/1.1\nHost: a\n\n"
        #expect(status("\n\(request)".crlf) == 200)
        #expect(status("\n\n\(request)".crlf) == 400)
        #expect(status("\r\r\n\(request.crlf)") == 400)
        #expect(status("\n\(request.crlf)") == 400)
    }

    @Test("an unknown kind of IP literal is rejected (RFC 3986 §3.2.2)")
    func unknownAddresses() {
        for host in ["[v1.fe:1]", "[vF.a]:80", "[fe80::1%25eth0]"] {
            #expect(status("GET / HTTP/1.1\nHost: \(host)\n\n".crlf) == 400, "\(host)")
        }
    }

    @Test(
        "heads that RFC 9112 forbids are rejected with 400",
        arguments: [
            // A URI of no host (RFC 9110 §4.2.1)
            "GET / HTTP/1.1\nHost:\n\n", "OPTIONS * HTTP/1.1\nHost: \n\n",
            "GET / HTTP/1.0\nHost:\n\n",
            // The request line (§3)
            "GET  / HTTP/1.1\nHost: a\n\n", "GET /  HTTP/1.1\nHost: a\n\n",
            " GET / HTTP/1.1\nHost: a\n\n", "GET / HTTP/1.1 \nHost: a\n\n",
            "GET\t/ HTTP/1.1\nHost: a\n\n", "GET /\n\n", "GET / \n\n", "GET\n\n", "/ HTTP/1.1\n\n",
            "GET / http/1.1\nHost: a\n\n", "GET / HTTP/11\nHost: a\n\n",
            "GET / HTTP/1.10\nHost: a\n\n", "GET / HTTP/x.1\nHost: a\n\n",
            "GET / HTTP/1.\nHost: a\n\n", "GE(T / HTTP/1.1\nHost: a\n\n",
            "GET / HTTP/1.1X\nHost: a\n\n",
            "\u{16}\u{3}\u{1}\u{2}\u{0}", "\u{0}GET / HTTP/1.1\nHost: a\n\n",
            // The target (§3.2)
            "GET /a b HTTP/1.1\nHost: a\n\n", "GET /\u{e9} HTTP/1.1\nHost: a\n\n",
            "GET /<a> HTTP/1.1\nHost: a\n\n", "GET /a#b HTTP/1.1\nHost: a\n\n",
            "GET /a\\b HTTP/1.1\nHost: a\n\n", "GET /{a} HTTP/1.1\nHost: a\n\n",
            "GET /?a#b HTTP/1.1\nHost: a\n\n", "GET /?\"a\" HTTP/1.1\nHost: a\n\n",
            "GET /% HTTP/1.1\nHost: a\n\n", "GET /%4 HTTP/1.1\nHost: a\n\n",
            "GET /%zz HTTP/1.1\nHost: a\n\n",
            "GET /%00 HTTP/1.1\nHost: a\n\n", "GET /\u{7f} HTTP/1.1\nHost: a\n\n",
            "GET * HTTP/1.1\nHost: a\n\n", "GET a HTTP/1.1\nHost: a\n\n",
            "GET ftp://a/ HTTP/1.1\nHost: a\n\n", "GET http:///x HTTP/1.1\nHost: a\n\n",
            "GET http://u@a/ HTTP/1.1\nHost: a\n\n", "GET http://a:x/ HTTP/1.1\nHost: a\n\n",
            "GET a:443 HTTP/1.1\nHost: a\n\n", "CONNECT / HTTP/1.1\nHost: a\n\n",
            "CONNECT a HTTP/1.1\nHost: a\n\n", "OPTIONS *x HTTP/1.1\nHost: a\n\n",
            // Host (§3.2)
            "GET / HTTP/1.1\n\n", "GET / HTTP/1.1\nHost: a\nHost: a\n\n",
            "GET / HTTP/1.1\nHost: a\nhost: b\n\n", "GET / HTTP/1.1\nHost: a b\n\n",
            "GET / HTTP/1.1\nHost: a/b\n\n", "GET / HTTP/1.1\nHost: u@a\n\n",
            "GET / HTTP/1.1\nHost: a:b\n\n", "GET / HTTP/1.1\nHost: a:65536\n\n",
            "GET / HTTP/1.1\nHost: a:065536\n\n",
            "GET / HTTP/1.1\nHost: a:99999999999999999999\n\n",
            "GET / HTTP/1.1\nHost: :80\n\n", "GET / HTTP/1.1\nHost: [::1\n\n",
            "GET / HTTP/1.1\nHost: [1:2]\n\n", "GET / HTTP/1.1\nHost: [::1::]\n\n",
            "GET / HTTP/1.1\nHost: [::g]\n\n", "GET / HTTP/1.1\nHost: [::1.2.3]\n\n",
            "GET / HTTP/1.1\nHost: a, b\n\n", "GET / HTTP/1.1\nHost: a%zz\n\n",
        ]
    )
    func refused(text: String) {
        #expect(status(text.crlf) == 400)
    }

    @Test(
        "another major version is 505 (RFC 9110 §15.6.6)",
        arguments: ["HTTP/2.0", "HTTP/0.9", "HTTP/3.0", "HTTP/9.9"]
    )
    func otherVersions(version: String) {
        #expect(status("GET / \(version)\r\nHost: a\r\n\r\n") == 505)
    }

    @Test("the target's authority overrides Host (§3.2.2)")
    func absoluteForm() {
        withHead("GET http://b:81/x?y HTTP/1.1\r\nHost: a\r\n\r\n") { head in
            #expect(head.form == .absolute)
            #expect(head.authority.text == "b:81")
            #expect(head.path.text == "/x")
            #expect(head.query?.text == "y")
        }
        withHead("GET http://b?y HTTP/1.1\r\nHost: a\r\n\r\n") { head in
            #expect(head.path.text == "/")
            #expect(head.query?.text == "y")
        }
        withHead("OPTIONS http://b HTTP/1.1\r\nHost: a\r\n\r\n") { #expect($0.path.text == "*") }
    }

    @Test(
        "a path has its normal form beside the sent one (RFC 3986 §6.2.2)",
        arguments: [
            ("/a.b", "/a.b"), ("/%61%2Eb", "/a.b"), ("/a%2fb/%c3%a9", "/a%2Fb/%C3%A9"),
            ("/%21%3a%40%7E", "/!:@~"), ("/%5bb%5D%5e%7C", "/[b]^|"), ("/[b]^|", "/[b]^|"),
            ("/%5C%60%7B%7D%22", "/%5C%60%7B%7D%22"), ("/%25%34%31%2541", "/%2541%2541"),
            ("/%2e%2e/", "/../"),
            ("/%", nil), ("/%4", nil), ("/%zz", nil), ("/a%00b", nil), ("/a%0", nil),
        ] as [(String, String?)]
    )
    func normalPath(sent: String, path: String?) {
        for (method, target) in [("GET", sent), ("GET", sent + "?%61"), ("GET", "http://a" + sent)]
        {
            guard let path else {
                #expect(status("\(method) \(target) HTTP/1.1\nHost: a\n\n".crlf) == 400)
                continue
            }
            withHead("\(method) \(target) HTTP/1.1\nHost: a\n\n".crlf) { head in
                #expect(head.path.text == path)
                #expect(head.rawPath.text == sent)
                #expect(head.query?.text == (target.hasSuffix("?%61") ? "%61" : nil))
            }
        }
    }

    @Test("a path of the maximum length can be normalized")
    func longestPath() {
        let limits = HeadLimits()
        for escape in ["%2F", "%41"] {
            let path = "/" + String(repeating: escape, count: (limits.target - 1) / 3)
            withHead("GET \(path) HTTP/1.1\nHost: a\n\n".crlf) { head in
                #expect(
                    head.path.text == (escape == "%2F" ? path : path.replacing("%41", with: "A"))
                )
            }
        }
    }

    @Test("a head at its limits is accepted, above them rejected (RFC 6585 §5, RFC 9110 §15.5.15)")
    func limits() {
        var limits = HeadLimits()
        limits.head = 300
        limits.target = 20
        limits.fields = 3
        let start = "GET / HTTP/1.1\r\nHost: a\r\n"
        #expect(status(start + "A: b\r\nC: d\r\n\r\n", limits: limits) == 200)
        #expect(status(start + "A: b\r\nC: d\r\nE: f\r\n\r\n", limits: limits) == 431)
        let filler = String(repeating: "x", count: 300 - start.utf8.count - 7)
        #expect(status(start + "A: \(filler)\r\n\r\n", limits: limits) == 200)
        #expect(status(start + "A: \(filler)x\r\n\r\n", limits: limits) == 431)
        #expect(status(start + "A: \(filler)\(filler)", limits: limits) == 431)
        let path = String(repeating: "p", count: 19)
        // A method longer than any known one (RFC 9112 §3).
        for line in ["", "\r\n"] {
            let method = String(repeating: "M", count: limits.head)
            #expect(status(line + method, limits: limits) == 501)
            // Whether what follows came with it or not.
            let whole = line + method + " / HTTP/1.1\r\nHost: a\r\n\r\n"
            #expect(status(whole, limits: limits) == 501)
        }
        #expect(status("GET /\(path) HTTP/1.1\r\nHost: a\r\n\r\n", limits: limits) == 200)
        #expect(status("GET /\(path)p HTTP/1.1\r\nHost: a\r\n\r\n", limits: limits) == 414)
    }
}
