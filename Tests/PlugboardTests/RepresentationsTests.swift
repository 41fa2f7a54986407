import HTTPSyntax
import HTTPServer
import Testing

@testable import Plugboard

/// The `Date` that the document was changed at, one before it and one after it.
private let (before, date, after) = (
    "Sun, 06 Nov 1994 08:49:36 GMT", "Sun, 06 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 08:49:38 GMT"
)

@Suite("A resource's representations (RFC 9110 §12.5.3, §13)")
struct RepresentationsTests {
    private static let plain = Array("plain".utf8)
    private static let coded = Array("coded".utf8)

    private func both(lastModified: Int? = nil, varying: [String] = []) -> Representations {
        Representations(
            Self.plain,
            gzip: Self.coded,
            etag: "\"t\"",
            lastModified: lastModified,
            mediaType: "text/plain",
            caching: [("Cache-Control", "no-cache")],
            varying: varying
        )
    }

    /// The response to a GET with these fields; with `now`, conditions on dates apply.
    private func answer(
        _ representations: Representations,
        _ lines: String...,
        now: Int? = nil
    ) throws -> Response {
        let fields = lines.map { "\($0)\r\n" }.joined()
        return try Array("GET / HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n".utf8)
            .withUnsafeBufferPointer { bytes in
                let parser = RequestParser()
                try #require(parser.parse(bytes) == .complete)
                guard let now else { return representations.answer(parser.head) }
                return representations.answer(parser.head, now: now)
            }
    }

    private func lines(_ response: Response) -> [Substring] {
        String(decoding: response.fields.lines, as: UTF8.self).split(separator: "\r\n")
    }

    private func bytes(_ response: Response) -> [UInt8]? {
        if case .bytes(let bytes) = response.body { bytes } else { nil }
    }

    @Test("a client that accepts gzip gets gzip, with its own tag; all others get plain")
    func choice() throws {
        let both = both()
        let plain = try answer(both)
        #expect(plain.status == 200 && bytes(plain) == Self.plain)
        #expect(
            lines(plain) == [
                "ETag: \"t\"", "Cache-Control: no-cache", "Vary: Accept-Encoding",
                "Content-Type: text/plain",
            ]
        )
        let coded = try answer(both, "Accept-Encoding: gzip")
        #expect(coded.status == 200 && bytes(coded) == Self.coded)
        #expect(
            lines(coded) == [
                "ETag: \"t-gzip\"", "Cache-Control: no-cache", "Vary: Accept-Encoding",
                "Content-Encoding: gzip", "Content-Type: text/plain",
            ]
        )
        let refused = try answer(both, "Accept-Encoding: gzip;q=0, *")
        #expect(bytes(refused) == Self.plain)
    }

    @Test("without a smaller gzip coding all clients get plain, without Vary")
    func alone() throws {
        let one = Representations(
            Self.plain,
            gzip: nil,
            etag: "\"t\"",
            mediaType: "text/plain",
            caching: []
        )
        for response in [try answer(one), try answer(one, "Accept-Encoding: gzip")] {
            #expect(lines(response) == ["ETag: \"t\"", "Content-Type: text/plain"])
            #expect(bytes(response) == Self.plain)
        }
        let varying = Representations(
            Self.plain,
            gzip: nil,
            etag: "\"t\"",
            mediaType: "text/plain",
            caching: [],
            varying: ["A", "B"]
        )
        #expect(try lines(answer(varying))[1] == "Vary: A, B")
    }

    @Test("Vary names all selecting fields, in a 304, too (§12.5.5, §15.4.5)")
    func vary() throws {
        let both = both(varying: ["Authorization"])
        let known = try answer(both, "If-None-Match: \"t\"")
        #expect(known.status == 304 && bytes(known) == nil)
        #expect(
            lines(known) == [
                "ETag: \"t\"", "Cache-Control: no-cache", "Vary: Authorization, Accept-Encoding",
            ]
        )
        #expect(try lines(answer(both)).contains("Vary: Authorization, Accept-Encoding"))
    }

    @Test("a tag applies to the selected one (§13.1.1, §13.1.2)", arguments: [nil, 1])
    func tags(now: Int?) throws {
        let both = both(lastModified: now.map { _ in 784_111_777 })
        for (lines, own, other) in [
            (["Accept-Encoding: gzip"], "\"t-gzip\"", "\"t\""), ([], "\"t\"", "\"t-gzip\""),
        ] {
            func status(_ condition: String) throws -> Int {
                let accept = lines.first ?? "X: y"
                return try Int(answer(both, accept, condition, now: now).status)
            }
            #expect(try status("If-None-Match: \(own)") == 304)
            #expect(try status("If-None-Match: W/\(own)") == 304)
            #expect(try status("If-None-Match: \(other)") == 200)
            #expect(try status("If-Match: \(own)") == 200)
            #expect(try status("If-Match: W/\(own)") == 412)
            #expect(try status("If-Match: \(other)") == 412)
        }
    }

    @Test(
        "a date applies to both, if the resource has one (§13.1.3, §13.1.4)",
        arguments: ["Accept-Encoding: gzip", "Accept-Encoding: identity"]
    )
    func dates(accept: String) throws {
        let now = 2_000_000_000
        let dated = both(lastModified: 784_111_777)
        let undated = both()
        for (condition, status) in [
            ("If-Modified-Since: \(before)", 200), ("If-Modified-Since: \(date)", 304),
            ("If-Modified-Since: \(after)", 304), ("If-Unmodified-Since: \(before)", 412),
            ("If-Unmodified-Since: \(date)", 200), ("If-Unmodified-Since: \(after)", 200),
        ] {
            #expect(try answer(dated, accept, condition, now: now).status == status, "\(condition)")
            // By tags alone.
            #expect(try answer(dated, accept, condition).status == 200, "\(condition)")
            #expect(try answer(undated, accept, condition, now: now).status == 200, "\(condition)")
        }
    }
}
