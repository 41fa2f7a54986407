import HTTPServer
import Plug
import PlugHTTP
import Plugboard
import Testing

private struct Receipt: Codable, Sendable, Equatable {
    var size: Int
    var sum: Int
}

private class Upload: Action<RequestBody, Receipt>, POST {
    static var path: String { "/uploads" }
}

private class Discard: Action<RequestBody, Void>, POST {
    static var path: String { "/discarded" }
}

private class Refuse: Action<RequestBody, Receipt>, POST {
    static var path: String { "/refused" }
}

private func receipt(_ body: RequestBody) async throws -> Receipt {
    var receipt = Receipt(size: 0, sum: 0)
    for try await piece in body {
        receipt.size += piece.count
        receipt.sum = piece.reduce(receipt.sum) { $0 &+ Int($1) }
    }
    return receipt
}

@Suite("Streamed request bodies", .serialized)
struct RequestBodyTests {
    private func site(_ body: (Site) async throws -> Void) async throws {
        Upload.self <~ { try await receipt($0) }
        Discard.self <~ { for try await _ in $0 {} }
        Refuse.self <~ { _ in throw Problem.conflict("not now") }
        var server = Server {
            Upload.self
            Discard.self
            Refuse.self
        }
        server.configuration.streamLimit = 8 * 1024 * 1024
        try await serving(server, body)
    }

    @Test("a body larger than the limit for collected bodies arrives completely")
    func large() async throws {
        try await site { site in
            let body = String(repeating: "abcdefgh", count: 640 * 1024)
            let answer = try await site.send(
                "POST",
                "/uploads",
                fields: [("Content-Type", "text/plain")],
                body: body
            )
            #expect(answer.status == 200)
            let sum = body.utf8.reduce(0) { $0 + Int($1) }
            #expect(answer.text == "{\"size\":\(body.utf8.count),\"sum\":\(sum)}")
        }
    }

    @Test("small and empty bodies arrive completely")
    func small() async throws {
        try await site { site in
            let one = try await site.send("POST", "/uploads", body: "abc")
            #expect(one.text == "{\"size\":3,\"sum\":294}")
            let none = try await site.send("POST", "/uploads")
            #expect(none.text == "{\"size\":0,\"sum\":0}")
            let discarded = try await site.send("POST", "/discarded", body: "abc")
            #expect(discarded.status == 204)
        }
    }

    @Test("a chunked body arrives without its framing, and the next request is read after it")
    func chunked() async throws {
        try await site { site in
            let bytes = try await exchange(
                "POST /uploads HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "3;a=b\r\nabc\r\n3\r\ndef\r\n0\r\nX: y\r\n\r\n"
                    + "GET /none HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                port: site.port
            )
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.contains("{\"size\":6,\"sum\":597}HTTP/1.1 404"))
        }
    }

    @Test("an invalid chunk ends the body with a 400")
    func broken() async throws {
        try await site { site in
            let bytes = try await exchange(
                "POST /uploads HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "3\r\nabcd\r\n0\r\n\r\n",
                port: site.port
            )
            let answer = try Answer(bytes)
            #expect(answer.status == 400)
        }
    }

    @Test("a body beyond its own limit is 413 (RFC 9110 §15.5.14)")
    func tooLarge() async throws {
        try await site { site in
            let bytes = try await exchange(
                "POST /uploads HTTP/1.1\r\nHost: localhost\r\nContent-Length: 8388609\r\n\r\n",
                port: site.port
            )
            let answer = try Answer(bytes)
            #expect(answer.status == 413)
        }
    }

    @Test("a response before the body's end is sent, and the connection closed (RFC 9112 §9.6)")
    func early() async throws {
        try await site { site in
            let body = String(repeating: "x", count: 4 * 1024 * 1024)
            let answer = try await site.send("POST", "/refused", body: body)
            #expect(answer.status == 409)
            #expect(answer["Connection"] == "close")
        }
    }
}
