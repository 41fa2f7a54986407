import Testing

@testable import HTTPSyntax

@Suite("IP addresses")
struct IPAddressTests {
    @Test(
        "an address has its usual notation, and a mapped IPv4 address is IPv4",
        arguments: [
            ("192.0.2.7", "192.0.2.7"), ("0.0.0.0", "0.0.0.0"),
            ("255.255.255.255", "255.255.255.255"),
            ("2001:db8::1", "2001:db8::1"), ("::1", "::1"), ("::", "::"), ("1::", "1::"),
            ("::ffff:192.0.2.7", "192.0.2.7"), ("::ffff:c000:207", "192.0.2.7"),
            ("fe80::1:2:3:4", "fe80::1:2:3:4"), ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
            ("2001:DB8:0:0:0:0:0:A", "2001:db8::a"), ("1:0:0:2:0:0:0:3", "1:0:0:2::3"),
            ("1:0:0:2:3:0:0:4", "1::2:3:0:0:4"), ("1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7"),
            ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"), ("0001::000a", "1::a"),
            ("1:2:3:4:5:6:10.0.0.1", "1:2:3:4:5:6:a00:1"),
            ("64:ff9b::192.0.2.1", "64:ff9b::c000:201"),
        ]
    )
    func text(_ text: String, _ expected: String) throws {
        let address = try #require(IPAddress(text: text))
        #expect(address.description == expected)
        #expect(IPAddress(text: expected) == address)
    }

    @Test(
        "a text that isn't exactly an address is invalid",
        arguments: [
            "", "1", "1.2.3", "1.2.3.4.5", "1.2.3.", ".1.2.3", "1..2.3", "1.2.3.256", "01.2.3.4",
            "1.2.3.04", "1.2.3.4 ", " 1.2.3.4", "1.2.3.-4", "0x1.2.3.4", "1.2.3.4444", "a.b.c.d",
            ":", ":::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "1::2::3",
            ":1:2:3:4:5:6:7", "1:2:3:4:5:6:7:", "12345::", "g::", "::1%eth0", "fe80::1%1",
            "[::1]", "::1.2.3", "::1.2.3.4:5", "1.2.3.4::", "::1.2.3.256", "1:2:3:4:5:6:7:1.2.3.4",
            "::1/128", "1.2.3.4/8", "localhost", "::ffff:1.2.3.4.5",
        ]
    )
    func invalid(_ text: String) {
        #expect(IPAddress(text: text) == nil)
    }

    @Test(
        "127.0.0.0/8 and ::1 are loopback addresses",
        arguments: [
            ("127.0.0.1", true), ("127.8.9.1", true), ("::1", true), ("::ffff:127.0.0.1", true),
            ("128.0.0.1", false), ("10.0.0.127", false), ("::2", false), ("2001:db8::1", false),
            ("::ffff:10.0.0.1", false), ("0.0.0.0", false), ("::", false), ("1::1", false),
        ]
    )
    func loopback(_ text: String, _ isLoopback: Bool) throws {
        #expect(try #require(IPAddress(text: text)).isLoopback == isLoopback)
    }

    @Test("an IPv6 /64 counts as one client, each IPv4 address as another")
    func customers() throws {
        func customer(_ text: String) throws -> IPAddress {
            try #require(IPAddress(text: text)).customer
        }
        #expect(try customer("2001:db8::1") == customer("2001:db8::ffff:2"))
        #expect(try customer("2001:db8::1") != customer("2001:db8:0:1::1"))
        #expect(try customer("192.0.2.7") != customer("192.0.2.8"))
        #expect(try customer("::ffff:192.0.2.7") == customer("192.0.2.7"))
        #expect(try customer("::ffff:192.0.2.7") != customer("::ffff:192.0.2.8"))
    }
}
