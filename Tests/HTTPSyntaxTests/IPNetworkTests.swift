import Testing

@testable import HTTPSyntax

@Suite("IP networks")
struct IPNetworkTests {
    @Test(
        "a network contains its addresses of its own family",
        arguments: [
            ("10.0.0.0/8", "10.255.255.255", true), ("10.0.0.0/8", "11.0.0.0", false),
            ("10.0.0.0/8", "9.255.255.255", false), ("10.0.0.0/8", "::ffff:10.1.2.3", true),
            ("192.0.2.7", "192.0.2.7", true), ("192.0.2.7", "192.0.2.6", false),
            ("192.0.2.6/31", "192.0.2.7", true), ("192.0.2.6/31", "192.0.2.8", false),
            ("0.0.0.0/0", "255.1.2.3", true), ("0.0.0.0/0", "::", false),
            ("::/0", "2001:db8::1", true), ("::/0", "10.0.0.1", false),
            ("::ffff:10.0.0.0/104", "10.9.9.9", true), ("::ffff:10.0.0.0/104", "11.0.0.1", false),
            ("2001:db8::/32", "2001:db8:ffff::", true), ("2001:db8::/32", "2001:db9::", false),
            ("2001:db8::/64", "2001:db8::ffff", true), ("2001:db8::/64", "2001:db8:0:1::", false),
            ("2001:db8::/65", "2001:db8::7fff:0:0:0", true),
            ("2001:db8::/65", "2001:db8::8000:0:0:0", false),
            ("2001:db8::1", "2001:db8::1", true), ("2001:db8::1", "2001:db8::2", false),
            ("2001:db8::1/128", "2001:db8::1", true),
        ]
    )
    func contains(_ network: String, _ address: String, _ isIn: Bool) throws {
        let address = try #require(IPAddress(text: address))
        #expect(try IPNetwork(parsing: network).contains(address) == isIn)
    }

    @Test(
        "another text is rejected with the remedy",
        arguments: [
            ("", "is not a network: use one such as 10.0.0.0/8 or 2001:db8::/32"),
            ("proxy.example", "is not a network: use one such as 10.0.0.0/8 or 2001:db8::/32"),
            ("10.0.0.0.0/8", "is not a network: use one such as 10.0.0.0/8 or 2001:db8::/32"),
            ("[::1]", "is not a network: use one such as 10.0.0.0/8 or 2001:db8::/32"),
            ("10.0.0.0/", "has an invalid prefix: use a number from 0 to 32"),
            ("10.0.0.0/33", "has an invalid prefix: use a number from 0 to 32"),
            ("10.0.0.0/-1", "has an invalid prefix: use a number from 0 to 32"),
            ("10.0.0.0/+8", "has an invalid prefix: use a number from 0 to 32"),
            ("10.0.0.0/8/8", "has an invalid prefix: use a number from 0 to 32"),
            ("10.0.0.0/255.0.0.0", "has an invalid prefix: use a number from 0 to 32"),
            ("2001:db8::/129", "has an invalid prefix: use a number from 0 to 128"),
            ("::ffff:10.0.0.0/8", "has an invalid prefix: use a number from 0 to 128"),
            ("10.1.2.3/8", "has bits after its prefix: use 10.0.0.0/8"),
            ("::ffff:10.1.2.3/104", "has bits after its prefix: use 10.0.0.0/8"),
            ("2001:db8::1/32", "has bits after its prefix: use 2001:db8::/32"),
        ]
    )
    func invalid(_ text: String, _ reason: String) {
        #expect(throws: IPNetwork.SyntaxError(reason: reason)) { try IPNetwork(parsing: text) }
    }
}
