import Testing

@testable import HTTPSyntax

/// The networks of the tests' proxies.
private let trusted = TrustedProxies(["10.0.0.0/8", "2001:db8:a::/48"])

@Suite("The client behind trusted proxies")
struct TrustedProxiesTests: RequestHeads {
    /// The client of a request with these field lines from the proxy 10.0.0.1; the status of an error.
    private func client(_ lines: String..., peer: String? = "10.0.0.1") -> String {
        var result = "no verdict"
        let fields = lines.map { $0 + "\r\n" }.joined()
        withHead("GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n") { head in
            do throws(ProtocolError) {
                let address = peer.flatMap { IPAddress(text: $0) }
                result = try trusted.client(of: head, from: address)?.description ?? "none"
            } catch {
                result = String(error.status)
            }
        }
        return result
    }

    @Test(
        "the client is the last entry that isn't a trusted proxy",
        arguments: [
            ("192.0.2.7", "192.0.2.7"), ("192.0.2.7, 10.0.0.9", "192.0.2.7"),
            ("198.51.100.1, 192.0.2.7", "192.0.2.7"),
            ("198.51.100.1, 192.0.2.7, 10.0.0.9, 10.0.0.8", "192.0.2.7"),
            ("192.0.2.7,10.0.0.9", "192.0.2.7"), (" 192.0.2.7 ,\t10.0.0.9 ", "192.0.2.7"),
            ("192.0.2.7, , 10.0.0.9,", "192.0.2.7"), ("10.0.0.9", "10.0.0.9"),
            ("10.0.0.7, 10.0.0.8, 10.0.0.9", "10.0.0.7"),
            ("10.0.0.6, 192.0.2.7, 10.0.0.9", "192.0.2.7"),
            ("2001:db8::7", "2001:db8::7"), ("2001:db8:b::7, 2001:db8:a::1", "2001:db8:b::7"),
            ("192.0.2.7:4711", "192.0.2.7"), ("[2001:db8::7]:4711", "2001:db8::7"),
            ("[2001:db8::7]", "2001:db8::7"), ("::ffff:192.0.2.7", "192.0.2.7"),
            ("::ffff:10.0.0.9", "10.0.0.9"), ("192.0.2.7:_port", "192.0.2.7"),
        ]
    )
    func members(_ value: String, _ expected: String) {
        #expect(client("X-Forwarded-For: \(value)") == expected)
    }

    @Test(
        "the elements of Forwarded name clients in for=",
        arguments: [
            ("for=192.0.2.7", "192.0.2.7"), ("For=192.0.2.7;proto=https;by=10.0.0.1", "192.0.2.7"),
            ("by=198.51.100.9;for=192.0.2.7", "192.0.2.7"), ("for=\"192.0.2.7\"", "192.0.2.7"),
            ("for=\"192.0.2.7:4711\"", "192.0.2.7"), ("for=\"[2001:db8::7]\"", "2001:db8::7"),
            ("for=\"[2001:DB8::7]:4711\"", "2001:db8::7"),
            ("for=192.0.2.7, for=10.0.0.9", "192.0.2.7"),
            ("for=\"[2001:db8::7]:_obf\"", "2001:db8::7"),
            ("for=198.51.100.1,for=192.0.2.7,for=10.0.0.9", "192.0.2.7"),
            ("for=192.0.2.7;host=\"a,b;for=198.51.100.1\"", "192.0.2.7"),
            ("for=192.0.2.7;host=\"a\\\",for=198.51.100.1\"", "192.0.2.7"),
            ("for=192.0.2.7 ; proto=http , for=10.0.0.9 ;", "192.0.2.7"),
            (", for=192.0.2.7,,", "192.0.2.7"), ("for=10.0.0.8, for=10.0.0.9", "10.0.0.8"),
        ]
    )
    func forwarded(_ value: String, _ expected: String) {
        #expect(client("Forwarded: \(value)") == expected)
    }

    @Test("lines of a field are one list, in their order")
    func lines() {
        #expect(
            client("X-Forwarded-For: 198.51.100.1", "X-Forwarded-For: 192.0.2.7") == "192.0.2.7"
        )
        #expect(client("X-Forwarded-For: 192.0.2.7", "X-Forwarded-For: 10.0.0.9") == "192.0.2.7")
        #expect(
            client("Forwarded: for=192.0.2.7", "a: b", "forwarded: for=10.0.0.9") == "192.0.2.7"
        )
        #expect(client("X-Forwarded-For: 192.0.2.7", "X-Forwarded-For:") == "192.0.2.7")
        #expect(client("X-Forwarded-For: 10.0.0.8", "X-Forwarded-For: 10.0.0.9") == "10.0.0.8")
    }

    @Test("without an entry, the proxy itself is the client")
    func direct() {
        #expect(client() == "10.0.0.1")
        #expect(client("X-Forwarded-For:") == "10.0.0.1")
        #expect(client("Forwarded: ,;, ;") == "10.0.0.1")
        #expect(client("X-Real-IP: 192.0.2.7", "Via: 1.1 a") == "10.0.0.1")
        #expect(client(peer: nil) == "none")
        #expect(client("X-Forwarded-For: 192.0.2.7", peer: nil) == "192.0.2.7")
    }

    @Test(
        "a proxy that hides its client is the client",
        arguments: [
            ("Forwarded: for=unknown", "10.0.0.1"), ("Forwarded: for=UNKNOWN", "10.0.0.1"),
            ("Forwarded: for=_hidden", "10.0.0.1"),
            ("Forwarded: for=\"_hid-den.1:80\"", "10.0.0.1"),
            ("Forwarded: for=\"unknown:_x\"", "10.0.0.1"),
            ("Forwarded: proto=https;by=10.0.0.9", "10.0.0.1"),
            ("Forwarded: for=192.0.2.7, for=unknown, for=10.0.0.9", "10.0.0.9"),
            ("Forwarded: for=192.0.2.7, for=_x, for=10.0.0.8, for=10.0.0.9", "10.0.0.8"),
            ("Forwarded: for=192.0.2.7, proto=http", "10.0.0.1"),
            ("X-Forwarded-For: unknown", "10.0.0.1"),
            ("X-Forwarded-For: 192.0.2.7, unknown", "10.0.0.1"),
            ("X-Forwarded-For: unknown, 192.0.2.7", "192.0.2.7"),
        ]
    )
    func hidden(_ line: String, _ expected: String) {
        #expect(client(line) == expected)
    }

    @Test("the proxy of an earlier line is the client if it hides its own")
    func hiddenLines() {
        #expect(
            client("X-Forwarded-For: 192.0.2.7, unknown", "X-Forwarded-For: 10.0.0.9") == "10.0.0.9"
        )
        #expect(client("Forwarded: for=unknown", peer: nil) == "none")
    }

    @Test(
        "an invalid entry of a trusted proxy is rejected",
        arguments: [
            "X-Forwarded-For: somebody", "X-Forwarded-For: 192.0.2.256",
            "X-Forwarded-For: 192.0.2.7:", "X-Forwarded-For: 192.0.2.7:123456",
            "X-Forwarded-For: 192.0.2.7 10.0.0.1", "X-Forwarded-For: \"192.0.2.7\"",
            "X-Forwarded-For: for=192.0.2.7", "X-Forwarded-For: [192.0.2.7]",
            "X-Forwarded-For: [::1", "X-Forwarded-For: ::1]", "X-Forwarded-For: fe80::1%eth0",
            "X-Forwarded-For: _", "X-Forwarded-For: [::1]80", "X-Forwarded-For: 192.0.2.7, bad",
            "X-Forwarded-For: bad, 10.0.0.9", "X-Forwarded-For: 0x7f.1",
            "Forwarded: 192.0.2.7", "Forwarded: for", "Forwarded: for=", "Forwarded: for=;by=a",
            "Forwarded: for=[::1]", "Forwarded: for=192.0.2.7:80", "Forwarded: for=2001:db8::7",
            "Forwarded: for=\"2001:db8::7\"", "Forwarded: for=\"192.0.2.7", "Forwarded: for=\"a\\",
            "Forwarded: for=\"192.0.2.7\"x", "Forwarded: for=\"\"", "Forwarded: for=\"192.0.2.7 \"",
            "Forwarded: for =192.0.2.7", "Forwarded: for= 192.0.2.7", "Forwarded: =192.0.2.7",
            "Forwarded: for=192.0.2.7 by=a", "Forwarded: for=192.0.2.7;for=192.0.2.8",
            "Forwarded: for=\"192.0.2.\\7\"", "Forwarded: for=somebody", "Forwarded: for=_",
            "Forwarded: for=_a~b", "Forwarded: for=192.0.2.7;by", "Forwarded: (comment)",
            "Forwarded: for=bad, for=10.0.0.9",
        ]
    )
    func invalid(_ line: String) {
        #expect(client(line) == "400")
    }

    @Test("an invalid entry before the client's is the client's own text and has no effect")
    func forged() {
        #expect(client("X-Forwarded-For: somebody, 192.0.2.7") == "192.0.2.7")
        #expect(client("Forwarded: for=somebody, for=192.0.2.7") == "192.0.2.7")
        #expect(client("Forwarded: (\"", "Forwarded: for=192.0.2.7") == "192.0.2.7")
        #expect(client("X-Forwarded-For: %", "X-Forwarded-For: 192.0.2.7") == "192.0.2.7")
    }

    @Test("a client's open quote can't swallow the element that the proxy adds")
    func swallowed() {
        let added = [
            "for=192.0.2.7", "for=\"[2001:db8::7]\"", "for=192.0.2.7;host=\"a\"",
            "for=192.0.2.7;host=\";for=198.51.100.1\"", "for=192.0.2.7;host=\"\"",
        ]
        for start in ["for=198.51.100.1;x=\"", "x=\"\\", "for=\"198.51.100.1", "\""] {
            for element in added {
                #expect(client("Forwarded: \(start), \(element)") == "400", "\(start), \(element)")
            }
        }
    }

    @Test("both fields must lead to the same client")
    func both() {
        let forged = "Forwarded: for=198.51.100.1"
        #expect(client(forged, "X-Forwarded-For: 192.0.2.7") == "400")
        #expect(client("X-Forwarded-For: 192.0.2.7", forged) == "400")
        #expect(client("Forwarded: for=unknown", "X-Forwarded-For: 192.0.2.7") == "400")
        #expect(client("Forwarded: for=(", "X-Forwarded-For: 192.0.2.7") == "400")
        #expect(client("Forwarded: for=192.0.2.7", "X-Forwarded-For: x") == "400")
        #expect(client("Forwarded: for=192.0.2.7", "X-Forwarded-For: 192.0.2.7") == "192.0.2.7")
        let chain = "X-Forwarded-For: 192.0.2.7, 10.0.0.9"
        #expect(client("Forwarded: for=192.0.2.7", chain) == "192.0.2.7")
        #expect(client("Forwarded: ", "X-Forwarded-For: 192.0.2.7") == "192.0.2.7")
    }

    @Test("32 trusted proxies are the limit, over all lines")
    func limit() {
        func list(_ count: Int) -> String {
            (["192.0.2.7"] + Array(repeating: "10.0.0.9", count: count)).joined(separator: ", ")
        }
        #expect(client("X-Forwarded-For: \(list(32))") == "192.0.2.7")
        #expect(client("X-Forwarded-For: \(list(33))") == "400")
        let (half, other) = ("X-Forwarded-For: \(list(16))", "X-Forwarded-For: \(list(17))")
        #expect(client(half, half.replacing("192.0.2.7, ", with: "")) == "192.0.2.7")
        #expect(client(half, other.replacing("192.0.2.7, ", with: "")) == "400")
        // Entries before the client's don't count.
        let forged = Array(repeating: "10.0.0.9", count: 100).joined(separator: ", ")
        #expect(client("X-Forwarded-For: \(forged), 192.0.2.7") == "192.0.2.7")
    }

    @Test("a proxy's connection is one from its networks, or over a Unix socket if trusted")
    func connections() throws {
        let proxy = try #require(IPAddress(text: "10.0.0.1"))
        let other = try #require(IPAddress(text: "192.0.2.7"))
        #expect(trusted.contains(proxy) && !trusted.contains(other))
        #expect(!trusted.contains(IPAddress?.none))
        #expect(TrustedProxies(["unix"]).contains(IPAddress?.none))
        #expect(!TrustedProxies(["unix"]).contains(proxy))
        #expect(TrustedProxies().isEmpty && !TrustedProxies(["unix"]).isEmpty && !trusted.isEmpty)
    }

    @Test("names that aren't proxies are start-up errors with the remedy")
    func problems() {
        let names = ["10.0.0.0/8", "unix", "::1", "balancer", "10.0.0.1/8", "Unix"]
        #expect(
            TrustedProxies.problems(names) == [
                """
                the trusted proxy "balancer" is not a network: use one such as 10.0.0.0/8 or \
                2001:db8::/32, an address, or unix for Unix sockets
                """,
                "the trusted proxy \"10.0.0.1/8\" has bits after its prefix: use 10.0.0.0/8",
                """
                the trusted proxy "Unix" is not a network: use one such as 10.0.0.0/8 or \
                2001:db8::/32, an address, or unix for Unix sockets
                """,
            ]
        )
    }
}
