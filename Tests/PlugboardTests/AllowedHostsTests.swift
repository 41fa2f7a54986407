import HTTPServer
import Testing

@testable import Plugboard

@Suite("The hosts of a server's requests (RFC 9110 §7.4)")
struct AllowedHostsTests {
    private static let loopback = [
        SocketAddress.tcp(host: "127.0.0.1", port: 8080), .tcp(host: "::1", port: 8080),
    ]
    private static let open = [SocketAddress.tcp(host: "0.0.0.0", port: 8080)]

    private func allows(
        _ authority: String,
        _ named: [String] = [],
        at addresses: [SocketAddress] = loopback,
        host: String = "127.0.0.1",
        isOperations: Bool = false
    ) -> Bool {
        let hosts = AllowedHosts(named, host: host, at: addresses, isOperations: isOperations)
        let check = HostCheck(hosts)
        let bytes = Array(authority.utf8)
        // The second request is compared with the first one only.
        let results = (0..<2).map { _ in bytes.withUnsafeBufferPointer(check.allows) }
        #expect(results[0] == results[1])
        return results[0]
    }

    @Test(
        "localhost is allowed on a loopback address, whatever the case, port or trailing dot",
        arguments: [
            "localhost", "LocalHost", "localhost.", "localhost:1", "LOCALHOST.:8080", "127.0.0.1",
            "127.0.0.1:9464", "[::1]", "[::1]:80", "localhost:", "",
        ]
    )
    func local(authority: String) { #expect(allows(authority)) }

    @Test(
        "the operations port serves addresses and localhost beside the named hosts",
        arguments: [
            "10.1.2.3:9464", "10.1.2.3", "[fd00::7]:9464", "localhost:9464", "app.example",
        ]
    )
    func operations(authority: String) {
        #expect(allows(authority, ["app.example"], at: Self.open, isOperations: true))
        let isNamed = authority == "app.example"
        #expect(allows(authority, ["app.example"], at: Self.open) == isNamed)
    }

    @Test(
        "the operations port rejects other names, which a page can point at it",
        arguments: ["evil.example", "10.1.2.3.evil.example", "1.2.3", "1.2.3.4.5", "256.1.1.1"]
    )
    func rebinding(authority: String) {
        #expect(!allows(authority, ["app.example"], at: Self.open, isOperations: true))
    }

    @Test(
        "other hosts are rejected, even similar ones",
        arguments: [
            "evil.example", "localhost.evil.example", "evil.localhost", "127.0.0.1.evil.example",
            "127.0.0.2", "127.1", "[::2]", "localhos", "localhostt", "localhost..",
            "%6cocalhost", "*", ".",
        ]
    )
    func foreign(authority: String) { #expect(!allows(authority)) }

    @Test("named hosts are allowed besides localhost on a loopback address")
    func named() {
        let named = ["App.Example.:443", "10.0.0.1", "2001:DB8::1"]
        for host in ["app.example", "app.example:8080", "10.0.0.1", "[2001:db8::1]", "localhost"] {
            #expect(allows(host, named), "\(host)")
        }
        #expect(!allows("www.app.example", named))
        #expect(!allows("evil.example", named))
    }

    @Test("the address and the name that the server listens on are allowed")
    func own() {
        let address = [SocketAddress.tcp(host: "127.0.1.1", port: 1)]
        #expect(allows("127.0.1.1:1", at: address, host: "debian"))
        #expect(allows("debian:1", at: address, host: "debian"))
        #expect(!allows("debian:1"))
    }

    @Test("on other addresses the named hosts are allowed, or any host if none is named")
    func elsewhere() {
        #expect(allows("anything.example", at: Self.open))
        #expect(allows("app.example", ["app.example"], at: Self.open))
        #expect(!allows("evil.example", ["app.example"], at: Self.open))
        #expect(!allows("localhost", ["app.example"], at: Self.open))
        #expect(allows("anything.example", at: Self.loopback + Self.open))
    }

    @Test("* allows any host")
    func any() {
        #expect(allows("evil.example", ["*"]))
        #expect(allows("evil.example", ["app.example", "*"], at: Self.open))
    }

    @Test(
        "a text that can't be a host is a start-up error",
        arguments: ["", "http://app.example", "app example", "*.example", "a:b", "[::g]", "a/b"]
    )
    func invalid(text: String) {
        #expect(
            AllowedHosts.problems([text]).first?.hasPrefix("\"\(text)\" is not a host: ") == true
        )
        #expect(AllowedHosts.problems(["app.example", "[::1]:80", "::1", "*"]).isEmpty)
    }

    @Test("a long authority is compared in full")
    func long() {
        let host = String(repeating: "a", count: 300)
        #expect(allows(host, [host]))
        #expect(!allows(host + "b", [host]))
    }

    @Test("127.0.0.0/8, ::1 and mapped addresses are loopback")
    func loopbackAddresses() {
        for host in ["127.0.0.1", "127.255.0.9", "::1", "::ffff:127.0.0.1"] {
            #expect(SocketAddress.tcp(host: host, port: 1).isLoopback, "\(host)")
        }
        for host in [
            "0.0.0.0", "::", "128.0.0.1", "::2", "::ffff:10.0.0.1", "localhost", "fe80::1%lo",
        ] {
            #expect(!SocketAddress.tcp(host: host, port: 1).isLoopback, "\(host)")
        }
        #expect(!SocketAddress.unix(path: "/run/socket").isLoopback)
    }
}
