import HTTPServer
import HTTPTypes
import Plug
import PlugHTTP
import Plugboard
import Testing

private struct Size: Codable, Sendable { var size: Int }
private class Text: Action<Size, String>, GET { static var path: String { "/text" } }
private class LateText: Action<Size, String>, GET { static var path: String { "/late" } }
private class PostText: Action<Size, String>, POST { static var path: String { "/posted" } }
private class Fail: Action<Size, String>, GET { static var path: String { "/failing" } }
private class Nothing: Action<Void, Void>, POST { static var path: String { "/nothing" } }

private func text(_ size: Int) -> String {
    var state = UInt64(size)
    return String(
        decoding: (0..<size).map { _ -> UInt8 in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(0x61 + (state >> 60))
        },
        as: UTF8.self
    )
}

@Suite("Compression of responses", .serialized)
struct AnswerCodingTests {
    private let gzip = ("Accept-Encoding", "gzip")

    private func site(threshold: Int? = 1024, _ body: (Site) async throws -> Void) async throws {
        Text.self <~ { text($0.size) }
        LateText.self <~ { size async throws -> String in
            await Task.yield()
            return text(size.size)
        }
        PostText.self <~ { text($0.size) }
        Fail.self <~ { size throws -> String in throw Problem.conflict(text(size.size)) }
        Nothing.self <~ {}
        var server = Server {
            Text.self
            LateText.self
            PostText.self
            Fail.self
            Nothing.self
        }
        server.configuration.compressionThreshold = threshold
        try await serving(server, body)
    }

    @Test("a large response is gzip-coded if accepted", arguments: ["/text", "/late"])
    func coded(path: String) async throws {
        try await site { site in
            let answer = try await site.get("\(path)?size=5000", gzip)
            #expect(answer.status == 200)
            #expect(answer["Content-Encoding"] == "gzip")
            #expect(answer["Vary"] == "Accept-Encoding")
            #expect(answer.mediaType == "application/json")
            #expect(answer.body.count < 4000)
            #expect(try answer.content == "\"\(text(5000))\"")
        }
    }

    @Test("responses to POST are coded, too, each of them completely")
    func posted() async throws {
        try await site { site in
            for size in [1023, 2000, 70_000, 3000, 1_000_000] {
                let answer = try await site.send(
                    "POST",
                    "/posted",
                    fields: [("Content-Type", "application/json"), gzip],
                    body: "{\"size\":\(size)}"
                )
                #expect(answer["Content-Encoding"] == "gzip")
                #expect(try answer.content == "\"\(text(size))\"")
            }
        }
    }

    @Test("a response up to the threshold is sent plain, without Vary")
    func threshold() async throws {
        try await site { site in
            let least = try await site.get("/text?size=1022", gzip)
            #expect(least["Content-Encoding"] == nil && least["Vary"] == nil)
            #expect(least.body.count == 1024)
            let more = try await site.get("/text?size=1023", gzip)
            #expect(more["Content-Encoding"] == "gzip")
        }
        try await site(threshold: 100_000) { (site) async throws in
            #expect(try await site.get("/text?size=5000", gzip)["Content-Encoding"] == nil)
        }
    }

    @Test("without a threshold no response is coded")
    func off() async throws {
        try await site(threshold: nil) { site in
            let answer = try await site.get("/text?size=5000", gzip)
            #expect(answer["Content-Encoding"] == nil && answer["Vary"] == nil)
            #expect(answer.text == "\"\(text(5000))\"")
        }
    }

    @Test("a response over 1 MiB is sent plain, since coding it would block the loop")
    func large() async throws {
        try await site { site in
            let answer = try await site.get("/text?size=1048576", gzip)
            #expect(answer["Content-Encoding"] == nil)
            #expect(answer.body.count == 1_048_578)
        }
    }

    @Test(
        "GET responses have Vary, even for clients without gzip (RFC 9110 §12.5.5)",
        arguments: ["/text", "/late"]
    )
    func vary(path: String) async throws {
        try await site { site in
            for fields in [[], [("Accept-Encoding", "gzip;q=0")], [("Accept-Encoding", "br")]] {
                let answer = try await site.send("GET", "\(path)?size=5000", fields: fields)
                #expect(answer["Content-Encoding"] == nil)
                #expect(answer["Vary"] == "Accept-Encoding")
                #expect(answer.text == "\"\(text(5000))\"")
            }
        }
    }

    @Test("HEAD has the length of GET's response (RFC 9110 §9.3.2)")
    func head() async throws {
        try await site { site in
            let full = try await site.get("/text?size=5000", gzip)
            let head = try await site.send("HEAD", "/text?size=5000", fields: [gzip])
            #expect(head.body.isEmpty)
            #expect(head["Content-Length"] == full["Content-Length"])
            #expect(head["Content-Encoding"] == "gzip")
        }
    }

    @Test("a problem is coded like any response, an empty response never")
    func problems() async throws {
        try await site { site in
            let problem = try await site.get("/failing?size=3000", gzip)
            #expect(problem.status == 409)
            #expect(problem.mediaType == "application/problem+json")
            #expect(problem["Content-Encoding"] == "gzip")
            #expect(try problem.content.contains(text(3000)))
            let none = try await site.send("POST", "/nothing", fields: [gzip])
            #expect(none.status == 204)
            #expect(none["Content-Encoding"] == nil && none["Vary"] == nil)
        }
    }
}
