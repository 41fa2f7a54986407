import GuardedBytes
import Testing

@testable import HTTPSyntax

private func prefersGzip(_ lines: String...) throws -> Bool {
    let fields = lines.map { "Accept-Encoding: \($0)\r\n" }.joined()
    let head = Array("GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n".utf8)
    return try GuardedBytes.with(head) { bytes in
        let parser = RequestParser()
        try #require(parser.parse(bytes) == .complete)
        return AcceptEncoding.prefersGzip(parser.head)
    }
}

@Suite("Accept-Encoding (RFC 9110 §12.5.3)")
struct AcceptEncodingTests {
    @Test(
        "gzip is used if it or any coding is listed (§12.5.3)",
        arguments: [
            "gzip", "x-gzip", "GZip", "X-GZIP", "*", "gzip, deflate, br, zstd", "br,gzip",
            "gzip;q=1", "gzip;q=0.001", "gzip ; q=0.5", "gzip\t;\tq=1.000", "gzip;Q=0.5",
            "deflate, *;q=0.1", "gzip, identity", "gzip;q=0.5, identity;q=0.5",
            "identity;q=0, gzip;q=0.1", "identity;q=0.1, *;q=0.5", "*;q=0, gzip", "gzip;q=1.",
            "gzip;q=0.5, identity;q=0", ", ,gzip,,", "compress;q=0.5, gzip;q=1.0",
            "gzip;q=1.0, identity; q=0.5, *;q=0",
        ]
    )
    func taken(value: String) throws {
        #expect(try prefersGzip(value))
    }

    @Test(
        "gzip isn't used if it is excluded, not listed or weighted below identity (§12.5.3)",
        arguments: [
            "", "identity", "br", "deflate, br", "gzip;q=0", "gzip;q=0.0", "gzip;q=0.000",
            "x-gzip;q=0", "*;q=0", "gzip;q=0, *", "x-gzip;q=0, *;q=1", "identity;q=0",
            "identity, gzip;q=0.5", "gzip;q=0.5, *", "gzip;q=0.999, identity", "gzipped", "gzi",
            "x-gzip2", "gzip, gzip;q=0",
            "gzip;q=0,5", "gzip;q=0, x-gzip", "**", "identity;q=0, *;q=0",
        ]
    )
    func notTaken(value: String) throws {
        #expect(try !prefersGzip(value))
    }

    @Test(
        "a member with an invalid weight is ignored (§12.4.2)",
        arguments: [
            "gzip;q=", "gzip;q", "gzip;", "gzip;q=2", "gzip;q=1.1", "gzip;q=1.001", "gzip;q=-1",
            "gzip;q=0.1234", "gzip;q=1.0000", "gzip;q=.5", "gzip;q=00", "gzip;q=0.a",
            "gzip;q=1e0", "gzip;q =1", "gzip;q= 1", "gzip;x=1", "gzip;q=1;q=1", "gzip q=1",
            "gzip\"", "\"gzip\"", "gzip;q=\"1\"", "gzip;level=9;q=1", "gzip;q=10", "gzip;q=0x1",
        ]
    )
    func invalid(value: String) throws {
        #expect(try !prefersGzip(value))
        #expect(try prefersGzip(value, "gzip"))
    }

    @Test("an invalid member doesn't exclude gzip")
    func invalidExclusion() throws {
        #expect(try prefersGzip("gzip;q=0.0000, *"))
        #expect(try !prefersGzip("gzip;q=0.000, *"))
    }

    @Test("several lines are one list (RFC 9110 §5.3)")
    func lines() throws {
        #expect(try prefersGzip("br", "gzip"))
        #expect(try prefersGzip("", "gzip"))
        #expect(try !prefersGzip("gzip;q=0.5", "identity"))
        #expect(try !prefersGzip("*", "gzip;q=0"))
    }

    @Test("without the field no coding is used")
    func none() throws {
        #expect(try !prefersGzip())
    }
}
