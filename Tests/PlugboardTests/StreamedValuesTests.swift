import Locking
import Plug
import PlugHTTP
import Plugboard
import Testing

private struct Range: Codable, Sendable {
    var first: Int
    var count: Int
}
private struct Number: Codable, Sendable {
    var number: Int
}

private class Count: Action<Range, AsyncThrowingStream<Number, any Error>>, GET {
    static var path: String { "/count/{first}" }
}
private class CountAll: Action<Void, AsyncStream<Int>>, GET {
    static var path: String { "/count" }
}
private class CountBytes: Action<RequestBody, AsyncStream<Int>>, POST {
    static var path: String { "/count-bytes" }
}
private class Picture: Action<Void, ResponseBody>, GET {
    static var path: String { "/picture" }
}

@Suite("Streamed values", .serialized, .timeLimit(.minutes(5)))
struct StreamedValuesTests {
    private func site(_ body: (Site) async throws -> Void) async throws {
        Count.self <~ { range in
            guard range.count >= 0 else { throw Problem.badRequest("no numbers") }
            return AsyncThrowingStream { continuation in
                for number in range.first..<range.first + range.count {
                    continuation.yield(Number(number: number))
                }
                continuation.finish()
            }
        }
        CountAll.self <~ {
            AsyncStream { continuation in
                continuation.yield(1)
                continuation.finish()
            }
        }
        CountBytes.self <~ { body in
            var sizes: [Int] = []
            for try await piece in body { sizes.append(piece.count) }
            return AsyncStream { [sizes] continuation in
                continuation.yield(sizes.reduce(0, +))
                continuation.finish()
            }
        }
        Picture.self <~ { ResponseBody(bytes: [0x89, 0x50], mediaType: "image/png") }
        let server = Server {
            Count.self
            CountAll.self
            CountBytes.self
            Picture.self
        }
        try await serving(server, body)
    }

    private func raw(_ target: String, accept: String?, _ site: Site) async throws -> String {
        let field = accept.map { "Accept: \($0)\r\n" } ?? ""
        let request =
            "GET \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(field)\r\n"
        return String(decoding: try await exchange(request, port: site.port), as: UTF8.self)
    }

    @Test(
        "each value is a line of JSON by default",
        arguments: [
            (nil, "application/jsonl"), ("*/*", "application/jsonl"),
            ("application/x-ndjson", "application/x-ndjson"),
            ("text/event-stream;q=0.5, application/jsonl", "application/jsonl"),
        ]
    )
    func lines(accept: String?, type: String) async throws {
        try await site { site in
            let text = try await raw("/count/8?count=2", accept: accept, site)
            #expect(text.contains("\r\nContent-Type: \(type)\r\n"))
            #expect(text.contains("\r\nVary: Accept\r\n"))
            #expect(
                text.hasSuffix(
                    "\r\n\r\nd\r\n{\"number\":8}\n\r\nd\r\n{\"number\":9}\n\r\n0\r\n\r\n"
                )
            )
            let all = try await raw("/count", accept: accept, site)
            #expect(all.contains("\r\n2\r\n1\n\r\n"))
        }
    }

    @Test("each value is an event for a client that accepts events (HTML Standard §9.2)")
    func events() async throws {
        try await site { site in
            let text = try await raw("/count/8?count=1", accept: "text/event-stream", site)
            #expect(text.contains("\r\nContent-Type: text/event-stream\r\n"))
            #expect(text.contains("\r\nVary: Accept\r\n"))
            #expect(text.contains("\r\ndata: {\"number\":8}\n\n\r\n"))
        }
    }

    @Test("a client that accepts neither gets a 406 without effect (RFC 9110 §15.5.7)")
    func notAcceptable() async throws {
        try await site { site in
            let text = try await raw("/count/8?count=-1", accept: "image/png", site)
            #expect(text.hasPrefix("HTTP/1.1 406 "))
            #expect(text.contains("application/jsonl, application/x-ndjson, text/event-stream"))
        }
    }

    @Test("an error before the first value is a problem, also for an invalid input")
    func problems() async throws {
        try await site { site in
            for target in ["/count/8?count=-1", "/count/x?count=1"] {
                let text = try await raw(target, accept: nil, site)
                #expect(text.hasPrefix("HTTP/1.1 400 "))
            }
        }
    }

    @Test("a waiting stream ends regularly when the server stops")
    func drained() async throws {
        let (asked, asks) = AsyncStream.makeStream(of: Void.self)
        let isFirst = Locked(true)
        try await site { site in
            CountAll.self <~ {
                AsyncStream {
                    let gives = isFirst.withLock { isFirst in
                        defer { isFirst = false }
                        return isFirst
                    }
                    if gives { return 7 }
                    asks.yield()
                    // Ends when the task is cancelled.
                    try? await Task.sleep(for: .seconds(3600))
                    return nil
                }
            }
            let answer = Task { try await raw("/count", accept: nil, site) }
            // The second value is asked for when the first is on its way.
            for await _ in asked { break }
            site.running.drain()
            let text = try await answer.value
            #expect(text.contains("\r\n2\r\n7\n\r\n"))
            #expect(text.hasSuffix("\r\n0\r\n\r\n"))
        }
    }

    @Test("an action can read a stream and return values")
    func pieces() async throws {
        try await site { site in
            let request =
                "POST /count-bytes HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                + "Content-Length: 4\r\n\r\nfour"
            let text = String(
                decoding: try await exchange(request, port: site.port),
                as: UTF8.self
            )
            #expect(text.contains("\r\n2\r\n4\n\r\n0\r\n\r\n"))
        }
    }

    @Test("a body of complete bytes has its length and its media type")
    func bytes() async throws {
        try await site { site in
            let answer = try await exchange(
                "GET /picture HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                port: site.port
            )
            let head = String(decoding: answer.prefix(while: { $0 < 0x80 }), as: UTF8.self)
            #expect(head.contains("\r\nContent-Type: image/png\r\n"))
            #expect(head.contains("\r\nContent-Length: 2\r\n"))
            #expect(Array(answer.suffix(2)) == [0x89, 0x50])
        }
    }
}
