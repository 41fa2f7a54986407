import HTTPSyntax
import Testing

@testable import HTTPServer

@Suite("Certificates by host name (RFC 6125 §6.4, RFC 6066 §3)")
struct ServerNamesTests {
    private let names = ServerNames(
        [
            ["first.example", "*.wild.example"],
            ["second.example", "Second.Example", "WWW.first.example"],
            ["*.second.example", "first.example", "own.wild.example"],
            ["*.example", "f*.third.example", "*", "a.*.example", "*.*.third.example", "*."],
        ],
        kinds: [1, 1, 1, 1]
    )

    @Test(
        "names match completely; a wildcard matches one label, the first (§6.4.3)",
        arguments: [
            ("first.example", 0), ("www.first.example", 1), ("second.example", 1),
            ("www.second.example", 2), ("a.wild.example", 0), ("own.wild.example", 2),
            ("a.b.wild.example", nil), ("wild.example", nil), ("third.example", nil),
            ("foo.third.example", nil), ("a.b.third.example", nil), ("a.b.example", nil),
            ("example", nil), ("", nil), ("*.wild.example", 0), ("localhost", nil),
            ("first.example.", nil), ("xn--a.wild.example", 0),
        ] as [(String, Int?)]
    )
    func matching(host: String, certificate: Int?) {
        #expect(names.group(for: host).first == certificate)
        for index in 0..<4 where index == certificate {
            #expect(names.covers(host, by: index))
        }
        #expect(!names.covers(host, by: 3))
    }

    @Test("a name's certificates have different kinds of key; those with the exact name come first")
    func kinds() {
        let names = ServerNames(
            [
                ["a.example"], ["a.example", "b.example"], ["*.example"], ["*.a.example"],
                ["a.example"],
            ],
            kinds: [1, 2, 1, 2, 2]
        )
        #expect(names.group(for: "a.example") == [0, 1])
        #expect(names.group(for: "b.example") == [1])
        #expect(names.group(for: "c.a.example") == [3])
        #expect(names.group(for: "other") == [])
        #expect(names.groups.first == [0, 1])
        #expect(Set(names.groups) == [[0, 1], [1], [3]])
    }

    @Test("a name in several certificates selects the first, and each covers it")
    func shared() {
        #expect(names.covers("first.example", by: 0))
        #expect(names.covers("first.example", by: 2))
        #expect(!names.covers("first.example", by: 1))
    }

    @Test(
        "an authority's host lacks port, upper case and final dot",
        arguments: [
            ("A.Example", "a.example"), ("a.example:8443", "a.example"),
            ("a.example.", "a.example"),
            ("a.example.:1", "a.example"), ("[::1]:80", nil), ("192.0.2.1", "192.0.2.1"), ("", ""),
        ] as [(String, String?)]
    )
    func authority(text: String, host: String?) {
        Array(text.utf8).withUnsafeBufferPointer { bytes in
            #expect(ServerNames.host(of: bytes) == host)
        }
    }

    @Test(
        "a server_name extension has exactly one complete host name (RFC 6066 §3)",
        arguments: [
            ([0, 6, 0, 0, 3, 0x41, 0x2E, 0x62], "a.b"), ([0, 6, 1, 0, 3, 0x41, 0x2E, 0x62], nil),
            ([0, 7, 0, 0, 3, 0x41, 0x2E, 0x62], nil), ([0, 6, 0, 0, 4, 0x41, 0x2E, 0x62], nil),
            ([0, 6, 0, 0, 2, 0x41, 0x2E, 0x62], nil), ([0, 3, 0, 0, 0], nil), ([0, 0], nil),
            ([], nil), ([0], nil), ([0xFF, 0xFF, 0, 0xFF, 0xFF, 0x41], nil),
        ] as [([UInt8], String?)]
    )
    func serverName(bytes: [UInt8], host: String?) {
        bytes.withUnsafeBufferPointer { bytes in
            #expect(ServerNames.host(inExtension: bytes) == host)
        }
    }
}
