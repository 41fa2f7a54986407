import GuardedBytes
import HTTPSyntax
import Testing

@Suite("Authority (RFC 9110 §7.2, RFC 3986 §3.2.2)")
struct AuthorityTests {
    @Test(
        "a browser pins HTTPS for domain names only (RFC 6797 §8.1.1)",
        arguments: [
            ("app.example", true), ("app.example:8443", true), ("app.example.", true),
            ("1.example", true), ("intranet", true), ("localhost", false), ("LOCALHOST:1", false),
            ("a.localhost", false), ("localhost.", false), ("127.0.0.1", false),
            ("192.0.2.1:443", false), ("[2001:db8::1]", false), ("[::1]:80", false), ("", false),
        ]
    )
    func domainName(text: String, isDomainName: Bool) {
        let bytes = Array(text.utf8)
        #expect(bytes.withUnsafeBufferPointer(Authority.isDomainName) == isDomainName)
    }

    @Test(
        "a valid authority has a host and optionally a port",
        arguments: [
            ("localhost", "localhost", nil), ("localhost:8080", "localhost", 8080),
            ("a.example:", "a.example", nil), ("127.0.0.1:0", "127.0.0.1", 0),
            ("[::1]", "::1", nil), ("[::1]:443", "::1", 443),
            ("[1:2:3:4:5:6:7:8]:", "1:2:3:4:5:6:7:8", nil),
            ("[::ffff:1.2.3.4]:0080", "::ffff:1.2.3.4", 80), ("a%20b", "a%20b", nil),
            ("a!$~:1", "a!$~", 1),
        ] as [(String, String, Int?)]
    )
    func valid(text: String, host: String, port: Int?) {
        GuardedBytes.with(text.utf8) { bytes in
            #expect(Authority.isValid(bytes))
            #expect(Authority.host(of: bytes).text == host)
            #expect(Authority.port(of: bytes) == port)
        }
    }

    @Test(
        "an invalid authority is rejected",
        arguments: [
            "", ":80", "a:b", "a:65536", "a:1:2", "user@a", "a b", "a/b", "a%2", "a%zz", "a%",
            "[::1", "::1", "[:1]", "[1::2::3]", "[1:2:3:4:5:6:7]", "[1:2:3:4:5:6:7:8:9]",
            "[12345::]", "[::1]a", "[::1.2.3]", "[::1.2.3.256]", "[::01.2.3.4]",
            "[fe80::1%25en0]", "[v1.a]", "[]",
        ]
    )
    func invalid(text: String) {
        GuardedBytes.with(text.utf8) { bytes in
            #expect(!Authority.isValid(bytes))
        }
    }
}
