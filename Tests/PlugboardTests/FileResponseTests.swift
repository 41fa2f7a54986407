import Foundation
import Plugboard
import Testing

@Suite("Files and their ranges")
struct FileAnswerTests {
    private let folder: TemporaryFolder
    private let server: Server
    private let text = "0123456789abcdefghijklmnopqrstuvwxyz"

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("text.txt", text)
        // Not of the second in which they are asked for, when an answer's date may be the earlier one.
        try folder.date("text.txt", secondsAgo: 60)
        try folder.write("empty.txt", "")
        var server = Server()
        server.configuration.publicFolder = folder.path
        self.server = server
    }

    @Test("a file has fields for caches")
    func fields() async throws {
        try await serving(server) { site in
            let answer = try await site.get("/text.txt")
            #expect(answer.status == 200)
            #expect(answer.text == text)
            #expect(answer["ETag"]?.wholeMatch(of: /"[^"]+"/) != nil)
            #expect(answer["Last-Modified"]?.hasSuffix(" GMT") == true)
            #expect(answer["Accept-Ranges"] == "bytes")
            #expect(answer["Cache-Control"] == "no-cache")
            let again = try await site.get("/text.txt")
            #expect(again["ETag"] == answer["ETag"])
        }
    }

    @Test("HEAD has a file's fields and no body")
    func head() async throws {
        try await serving(server) { site in
            let full = try await site.get("/text.txt")
            let answer = try await site.send("HEAD", "/text.txt")
            #expect(answer.status == 200)
            #expect(answer.body.isEmpty)
            for name in ["Content-Length", "Content-Type", "ETag", "Last-Modified"] {
                #expect(answer[name] == full[name])
            }
        }
    }

    @Test("an empty file has no bytes and no valid range")
    func empty() async throws {
        try await serving(server) { site in
            let answer = try await site.get("/empty.txt")
            #expect(answer.status == 200)
            #expect(answer["Content-Length"] == "0")
            let range = try await site.get("/empty.txt", ("Range", "bytes=0-"))
            #expect(range.status == 416)
            #expect(range["Content-Range"] == "bytes */0")
        }
    }

    @Test("a file larger than one piece is sent completely, and so is a range of it")
    func large() async throws {
        let large = String(repeating: text, count: 100_000)
        try folder.write("large.txt", large)
        try await serving(server) { site in
            let answer = try await site.get("/large.txt")
            #expect(answer.body.count == 3_600_000)
            #expect(answer.text == large)
            let part = try await site.get("/large.txt", ("Range", "bytes=1000000-2999999"))
            #expect(part.status == 206)
            #expect(part.body.elementsEqual(Array(large.utf8)[1_000_000...2_999_999]))
        }
    }

    @Test("a client with the current file gets 304")
    func notModified() async throws {
        try await serving(server) { site in
            let answer = try await site.get("/text.txt")
            let etag = try #require(answer["ETag"])
            let date = try #require(answer["Last-Modified"])
            for fields in [
                ("If-None-Match", etag), ("If-None-Match", "W/" + etag), ("If-None-Match", "*"),
                ("If-None-Match", "\"other\", " + etag), ("If-Modified-Since", date),
            ] {
                let short = try await site.get("/text.txt", fields)
                #expect(short.status == 304, "\(fields)")
                #expect(short.body.isEmpty && short["Content-Length"] == nil)
                #expect(short["ETag"] == etag)
                let head = try await site.send("HEAD", "/text.txt", fields: [fields])
                #expect(head.status == 304)
            }
            let past = "Sun, 06 Nov 1994 08:49:37 GMT"
            for fields in [
                ("If-None-Match", "\"other\""), ("If-Modified-Since", past),
                ("If-Modified-Since", "yesterday"),
            ] {
                #expect(try await site.get("/text.txt", fields).status == 200, "\(fields)")
            }
            let both = try await site.get(
                "/text.txt",
                ("If-None-Match", "\"other\""),
                ("If-Modified-Since", date)
            )
            #expect(both.status == 200)
        }
    }

    @Test("a changed file has a new tag")
    func changed() async throws {
        try await serving(server) { site in
            let before = try await site.get("/text.txt")
            try folder.write("text.txt", "changed")
            let etag = try #require(before["ETag"])
            let after = try await site.get("/text.txt", ("If-None-Match", etag))
            #expect(after.status == 200)
            #expect(after.text == "changed")
            #expect(after["ETag"] != etag)
        }
    }

    @Test("an unmet precondition is a 412")
    func failed() async throws {
        try await serving(server) { site in
            let answer = try await site.get("/text.txt")
            let etag = try #require(answer["ETag"])
            let date = try #require(answer["Last-Modified"])
            let past = "Sun, 06 Nov 1994 08:49:37 GMT"
            for fields in [
                ("If-Match", "\"other\""), ("If-Match", "W/" + etag), ("If-Unmodified-Since", past),
            ] {
                #expect(try await site.get("/text.txt", fields).status == 412, "\(fields)")
            }
            for fields in [("If-Match", etag), ("If-Match", "*"), ("If-Unmodified-Since", date)] {
                #expect(try await site.get("/text.txt", fields).status == 200, "\(fields)")
            }
        }
    }

    @Test(
        "a single range is a 206 with only its bytes",
        arguments: [
            ("bytes=0-3", 0..<4), ("bytes=4-4", 4..<5), ("bytes=30-", 30..<36),
            ("bytes=-6", 30..<36), ("bytes=-100", 0..<36), ("bytes=30-100", 30..<36),
            ("BYTES=0-0", 0..<1), ("bytes=0-3,99-", 0..<4),
        ]
    )
    func range(_ value: String, _ range: Range<Int>) async throws {
        try await serving(server) { site in
            let answer = try await site.get("/text.txt", ("Range", value))
            #expect(answer.status == 206)
            #expect(answer.body.elementsEqual(Array(text.utf8)[range]))
            #expect(
                answer["Content-Range"] == "bytes \(range.lowerBound)-\(range.upperBound - 1)/36"
            )
            #expect(answer.mediaType == "text/plain; charset=utf-8")
            #expect(answer["ETag"] != nil)
        }
    }

    @Test(
        "an invalid range is ignored",
        arguments: [
            "bytes=3-0", "bytes=", "bytes=a-b", "bytes=-", "pages=0-3", "bytes 0-3", "bytes=0-3;",
            "bytes=0-35,0-35", "bytes=" + (0..<20).map { "\($0)-\($0)" }.joined(separator: ","),
        ]
    )
    func noRange(_ value: String) async throws {
        try await serving(server) { site in
            let answer = try await site.get("/text.txt", ("Range", value))
            #expect(answer.status == 200)
            #expect(answer.text == text)
        }
    }

    @Test("a range beyond the end is a 416", arguments: ["bytes=36-", "bytes=99-100", "bytes=-0"])
    func unsatisfiable(_ value: String) async throws {
        try await serving(server) { site in
            let answer = try await site.get("/text.txt", ("Range", value))
            #expect(answer.status == 416)
            #expect(answer["Content-Range"] == "bytes */36")
            #expect(answer.mediaType == "application/problem+json")
        }
    }

    @Test("the Range of a HEAD and a repeated Range are ignored")
    func rangeOfHEAD() async throws {
        try await serving(server) { site in
            let answer = try await site.send(
                "HEAD",
                "/text.txt",
                fields: [("Range", "bytes=0-3")]
            )
            #expect(answer.status == 200)
            #expect(answer["Content-Length"] == "36")
            let twice = try await site.get(
                "/text.txt",
                ("Range", "bytes=0-3"),
                ("Range", "bytes=4-5")
            )
            #expect(twice.status == 200)
        }
    }

    @Test("several ranges are sent as parts, in the requested order")
    func multipart() async throws {
        try await serving(server) { site in
            let answer = try await site.get("/text.txt", ("Range", "bytes=10-12, 0-1, -2"))
            #expect(answer.status == 206)
            #expect(answer["Content-Range"] == nil)
            let type = try #require(answer.mediaType)
            let boundary = try #require(
                type.wholeMatch(of: /multipart\/byteranges; boundary=([-0-9a-zA-Z]{1,70})/)?.1
            )
            let parts = try parts(of: answer.text, boundary: String(boundary))
            #expect(parts.map(\.body) == ["abc", "01", "yz"])
            #expect(
                parts.map { $0.fields["Content-Range"] }
                    == ["bytes 10-12/36", "bytes 0-1/36", "bytes 34-35/36"]
            )
            #expect(parts.allSatisfy { $0.fields["Content-Type"] == "text/plain; charset=utf-8" })
        }
    }

    @Test("Last-Modified is never later than Date (RFC 9110 §8.8.2.1)")
    func changedInTheFuture() async throws {
        try await serving(server) { site in
            try folder.date("text.txt", secondsAgo: -86_400)
            let answer = try await site.get("/text.txt")
            let date = try #require(answer["Date"])
            #expect(answer["Last-Modified"] == date)
            #expect(
                try await site.get("/text.txt", ("If-Modified-Since", date)).status != 412
            )
        }
    }

    @Test("a range applies only if If-Range names the current file")
    func ifRange() async throws {
        try await serving(server) { site in
            try folder.date("text.txt", secondsAgo: 60)
            let answer = try await site.get("/text.txt")
            let etag = try #require(answer["ETag"])
            let date = try #require(answer["Last-Modified"])
            let range = ("Range", "bytes=0-3")
            for value in [etag, date] {
                #expect(
                    try await site.get("/text.txt", range, ("If-Range", value)).status == 206
                )
            }
            for value in ["\"other\"", "W/" + etag, "Sun, 06 Nov 1994 08:49:37 GMT", "x"] {
                let whole = try await site.get("/text.txt", range, ("If-Range", value))
                #expect(whole.status == 200, "\(value)")
                #expect(whole.text == text)
            }
        }
    }

    private struct Part {
        var fields: [String: String]
        var body: String
    }

    /// Reads a multipart body by the letter of RFC 2046 §5.1.
    private func parts(of body: String, boundary: String) throws -> [Part] {
        let end = "--\(boundary)--\r\n"
        let rest = try #require(body.hasSuffix(end) ? body.dropLast(end.count) : nil)
        let pieces = String(rest).components(between: "--\(boundary)\r\n")
        #expect(pieces.first == "")
        return try pieces.dropFirst().map { piece in
            let halves = piece.components(between: "\r\n\r\n", atMost: 1)
            let fields = halves[0].components(between: "\r\n").map {
                $0.components(between: ": ", atMost: 1)
            }
            let text = try #require(halves.last)
            #expect(text.hasSuffix("\r\n"))
            return Part(
                fields: Dictionary(uniqueKeysWithValues: fields.map { ($0[0], $0[1]) }),
                body: String(text.dropLast())
            )
        }
    }
}
