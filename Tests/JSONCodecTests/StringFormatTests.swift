import Testing

@testable import JSONCodec

/// HTML (e-mail), RFC 3986, RFC 1123 §2.1, RFC 4291 §2.2 and RFC 3339 §5.6.
@Suite("String formats")
struct StringFormatTests {
    @Test(
        "each format accepts and rejects its examples",
        arguments: [
            (
                StringFormat.email, ["a@b", "a.b+c@d-e.f"],
                ["a", "@b", "a@", "a@-b", "a b@c", "ä@b"]
            ),
            (.uri, ["https://a/b?c#d", "urn:x:%20"], ["/a", "a b:c", "1a:b", "a:%2", "", ":a"]),
            (.hostname, ["a", "a-b.c1"], ["", "-a", "a..b", "a_b", "a."]),
            (
                .ipv4, ["0.0.0.0", "255.1.20.3"],
                [
                    "", "256.0.0.0", "1.2.3", "01.2.3.4", "1.2.3.4.5", "a.b.c.d", "1.2.3.-4",
                    "1..2.3",
                ]
            ),
            (
                .ipv6, ["::", "::1", "1::", "fe80::1:2", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4"],
                [
                    "", ":", ":::", "1:2", "1::2::3", "12345::", "1:2:3:4:5:6:7:8:9", "::1.2.3",
                    ":1::",
                ]
            ),
            (
                .uuid, ["123e4567-e89b-12d3-A456-426614174000"],
                ["123e4567", "123e4567-e89b-12d3-a456-42661417400g"]
            ),
            (.date, ["2026-02-28"], ["2026-02-29", "2026-2-28", "2026-02-28T"]),
            (
                .dateTime,
                [
                    "2026-01-31T12:00:00Z", "2026-01-31t12:00:00z", "2026-01-31T12:00:00.1234567Z",
                    "2026-01-31T12:00:00-00:00", "2026-01-31T12:00:00+23:59",
                    "2016-12-31T23:59:60Z", "2017-01-01T01:59:60.5+02:00",
                ],
                [
                    "2026-01-31", "noon", "2026-01-31 12:00:00Z", "2026-01-31T12:00:00,5Z",
                    "2026-01-31T12:00:00.Z", "2026-01-31T12:00:00+0200", "2026-01-31T12:00:00+02",
                    "2026-01-31T12:00:00", "2026-01-31T24:00:00Z", "2026-01-31T12:00:60Z",
                    "2016-12-30T23:59:60Z", "2016-12-31T23:59:60+02:00", "2016-12-31T23:59:61Z",
                    "٢٠26-01-31T12:00:00Z", "2026-01-31T12:00:00Z ",
                ]
            ),
        ] as [(StringFormat, [String], [String])]
    )
    func formats(_ format: StringFormat, _ good: [String], _ bad: [String]) {
        for text in good { #expect(format.accepts(text), "\(text)") }
        for text in bad { #expect(!format.accepts(text), "\(text)") }
    }
    @Test("a host name has at most 253 bytes, and a label 63 (RFC 1035 §2.3.4)")
    func hostnames() {
        let label = String(repeating: "a", count: 63)
        #expect(StringFormat.hostname.accepts(label))
        #expect(!StringFormat.hostname.accepts(label + "a"))
        let name = Array(repeating: label, count: 4).joined(separator: ".")
        #expect(StringFormat.hostname.accepts(String(name.prefix(253))))
        #expect(!StringFormat.hostname.accepts(String(name.prefix(254))))
    }
}
