import Plug
import PlugHTTP
import Plugboard
import Testing

private struct Note: Codable, Sendable { var text: String }
private class Echo: Action<Note, Int>, POST { static var path: String { "/notes" } }
private class Count: Action<RequestBody, Int>, POST { static var path: String { "/counted" } }
private class Read: Action<Void, Int>, GET { static var path: String { "/read" } }

@Suite("Gzip-coded request bodies (RFC 9110 §8.4)", .serialized)
struct BodyDecodingTests {
    private func site(_ body: (Site) async throws -> Void) async throws {
        Echo.self <~ { $0.text.utf8.count }
        Count.self <~ { body async throws -> Int in
            var count = 0
            for try await piece in body { count += piece.count }
            return count
        }
        Read.self <~ { 1 }
        var server = Server {
            Echo.self
            Count.self
            Read.self
        }
        server.configuration.bodyLimit = 256 * 1024
        server.configuration.streamLimit = 4 * 1024 * 1024
        try await serving(server, body)
    }

    private func note(_ size: Int) -> [UInt8] {
        Array("{\"text\":\"\(String(repeating: "a", count: size))\"}".utf8)
    }

    @Test(
        "a coded input is decoded like a plain one",
        arguments: ["gzip", "x-gzip", "GZIP", "identity, gzip"]
    )
    func coded(coding: String) async throws {
        try await site { site in
            for size in [500, 200_000] {
                let answer = try await site.post("/notes", coding: coding, gzipped(note(size)))
                #expect(answer.status == 200)
                #expect(answer.text == "\(size)")
            }
        }
    }

    @Test("chunked bodies are decoded, too; identity is no coding")
    func framings() async throws {
        try await site { site in
            let body = try gzipped(note(1000))
            var request = Array(
                ("POST /notes HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Encoding: gzip\r\n"
                    + "Content-Type: application/json\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n").utf8
            )
            for byte in body { request += Array("1\r\n".utf8) + [byte] + Array("\r\n".utf8) }
            request += "0\r\n\r\n".utf8
            #expect(try Answer(await exchange(request, port: site.port)).text == "1000")
            let plain = try await site.post("/notes", coding: "identity", note(10))
            #expect(plain.text == "10")
        }
    }

    @Test(
        "another coding, or several, is a 415 with Accept-Encoding (RFC 9110 §12.5.3, §15.5.16)",
        arguments: ["deflate", "br", "gzip, gzip", "gzip, br", "gzip;q=1"]
    )
    func unsupported(coding: String) async throws {
        try await site { site in
            for path in ["/notes", "/counted"] {
                let answer = try await site.post(path, coding: coding, gzipped(note(500)))
                #expect(answer.status == 415)
                #expect(answer["Accept-Encoding"] == "gzip")
                #expect(answer.mediaType == "application/problem+json")
            }
            // Refused before the body has come.
            let early = try await exchange(
                "POST /notes HTTP/1.1\r\nHost: localhost\r\nContent-Encoding: \(coding)\r\n"
                    + "Content-Length: 99\r\nExpect: 100-continue\r\n\r\n",
                port: site.port
            )
            #expect(try Answer(early).status == 415)
        }
    }

    @Test("corrupt data is a 400 with the reason")
    func broken() async throws {
        try await site { site in
            let body = try gzipped(note(5000))
            var mismatched = body
            mismatched[body.count - 6] ^= 1
            var corrupt = body
            corrupt[10] = 0xFF
            for (bytes, detail) in [
                (Array(body.dropLast()), "ends before"), (body + [0], "goes on after"),
                (mismatched, "checksum"), (corrupt, "broken"), (note(500), "isn't gzip"),
            ] {
                for path in ["/notes", "/counted"] {
                    let answer = try await site.post(path, bytes)
                    #expect(answer.status == 400, "\(path) \(detail)")
                    #expect(answer.text.contains(detail), "\(path) \(detail): \(answer.text)")
                }
            }
        }
    }

    @Test("inflated data has the same limit as plain data: 413 (RFC 9110 §15.5.14)")
    func bombs() async throws {
        try await site { site in
            let most = 256 * 1024 - note(0).count
            let fits = try await site.post("/notes", gzipped(note(most)))
            #expect(fits.text == "\(most)")
            let over = try await site.post("/notes", gzipped(note(most + 1)))
            #expect(over.status == 413)
            let bomb = try gzipped([UInt8](repeating: 0x20, count: 1 << 26))
            #expect(bomb.count < 100_000)
            #expect(try await site.post("/notes", bomb).status == 413)
            #expect(try await site.post("/counted", bomb).status == 413)
        }
    }

    @Test("errors in the inflated JSON are reported as usual")
    func syntax() async throws {
        try await site { site in
            let text = "{\"text\":" + String(repeating: " ", count: 500) + "oops}"
            let answer = try await site.post("/notes", gzipped(text.utf8))
            #expect(answer.status == 400)
            #expect(answer.text.contains("expected a value"))
            let type = try await site.post("/notes", type: "text/plain", gzipped(note(500)))
            #expect(type.status == 415)
            #expect(type["Accept"] == "application/json, application/x-www-form-urlencoded")
        }
    }

    @Test("a streamed body is inflated piece by piece")
    func streams() async throws {
        try await site { site in
            for size in [500, 100_000, 4 * 1024 * 1024] {
                let body = try gzipped([UInt8](repeating: 0x61, count: size))
                let answer = try await site.post("/counted", type: "text/plain", body)
                #expect(answer.text == "\(size)")
            }
            var state: UInt64 = 1
            let noise = (0..<1_500_000).map { _ -> UInt8 in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(state >> 58)
            }
            // More than comes with the head, and than may be collected.
            let body = try gzipped(noise)
            #expect(body.count > 1_000_000)
            #expect(try await site.post("/counted", body).text == "1500000")
            #expect(try await site.post("/counted", Array(body.dropLast(4))).status == 400)
        }
    }

    @Test("the coding of an empty or unread body is ignored")
    func nothing() async throws {
        try await site { site in
            #expect(try await site.post("/counted", []).text == "0")
            let read = try await site.send(
                "GET",
                "/read",
                fields: [("Content-Encoding", "br")],
                body: "x"
            )
            #expect(read.text == "1")
        }
    }
}
