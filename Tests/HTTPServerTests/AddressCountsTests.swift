import Glibc
import HTTPSyntax
import Testing

@testable import HTTPServer

@Suite("Connections by address", .blockingClients)
struct AddressCensusTests {
    private func address(_ text: String) throws -> IPAddress {
        var storage = sockaddr_storage()
        let isIPv6 = text.contains(":")
        storage.ss_family = sa_family_t(isIPv6 ? AF_INET6 : AF_INET)
        let status = withUnsafeMutableBytes(of: &storage) { bytes in
            inet_pton(
                isIPv6 ? AF_INET6 : AF_INET,
                text,
                bytes.baseAddress.map { $0 + (isIPv6 ? 8 : 4) }
            )
        }
        #expect(status == 1)
        return try #require(IPAddress(storage))
    }

    @Test(
        "an address has its usual notation; a mapped IPv4 address is IPv4",
        arguments: [
            ("192.0.2.7", "192.0.2.7"), ("2001:db8::1", "2001:db8::1"), ("::1", "::1"),
            ("::ffff:192.0.2.7", "192.0.2.7"), ("fe80::1:2:3:4", "fe80::1:2:3:4"),
        ]
    )
    func text(_ text: String, _ expected: String) throws {
        #expect(try address(text).description == expected)
    }

    @Test(
        "127.0.0.0/8 and ::1 are loopback addresses and exempt from the limit",
        arguments: [
            ("127.0.0.1", true), ("127.8.9.1", true), ("::1", true), ("::ffff:127.0.0.1", true),
            ("128.0.0.1", false), ("10.0.0.127", false), ("::2", false), ("2001:db8::1", false),
            ("::ffff:10.0.0.1", false), ("0.0.0.0", false), ("::", false),
        ]
    )
    func loopback(_ text: String, _ isLoopback: Bool) throws {
        let address = try address(text)
        #expect(address.isLoopback == isLoopback)
        var addresses = ConnectionAddresses(AddressCounts(limit: 1))
        let admitted = (0..<3).map { addresses.admit($0, address) }
        #expect(admitted == [true, isLoopback, isLoopback])
    }

    @Test("an IPv6 /64 counts as one client, each IPv4 address as another")
    func customers() throws {
        #expect(try address("2001:db8::1").customer == address("2001:db8::ffff:2").customer)
        #expect(try address("2001:db8::1").customer != address("2001:db8:0:1::1").customer)
        #expect(try address("192.0.2.7").customer != address("192.0.2.8").customer)
        #expect(try address("::ffff:192.0.2.7").customer == address("192.0.2.7").customer)
        #expect(try address("::ffff:192.0.2.7").customer != address("::ffff:192.0.2.8").customer)
    }

    @Test(
        "a released place can be reused, and an address without connections is removed"
    )
    func places() throws {
        let census = AddressCounts(limit: 2)
        let (one, other) = (try address("192.0.2.7"), try address("192.0.2.8"))
        #expect(census.admit(one))
        #expect(census.admit(one))
        #expect(!census.admit(one))
        #expect(census.admit(other))
        census.release(one)
        #expect(census.admit(one))
        for _ in 0..<3 { census.release(one) }
        census.release(other)
        #expect(census.addresses == 0)
    }

    @Test("a connection above the limit is closed at once, over all loops; earlier ones continue")
    func bound() async throws {
        try await withServer(
            .any,
            {
                $0.connectionsPerAddress = 2
                $0.exemptsLoopback = false
                $0.loops = 2
            }
        ) { server in
            func refused() -> Int { server.server.counters.reduce(0) { $0 + $1.refused.value } }
            func roundTrip(_ client: TestClient) throws {
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = try client.answer()
            }
            let kept = try (0..<2).map { _ in try server.client() }
            try kept.forEach(roundTrip)
            let other = try server.client()
            _ = try other.readToEnd()
            #expect(other.received.isEmpty)
            #expect(refused() == 1)
            try kept.forEach(roundTrip)
        }
    }
}
