import Locking
import Plug
import PlugHTTP
import Plugboard
import Testing

private struct Range: Codable, Sendable {
    var first: Int
    var count: Int
}

private class Numbers: Action<Range, ResponseBody>, GET {
    static var path: String { "/numbers/{first}" }
}
private class Reversed: Action<RequestBody, ResponseBody>, POST {
    static var path: String { "/reversed" }
}
private class Ticks: Action<Range, EventStream>, GET {
    static var path: String { "/ticks/{first}" }
}

@Suite("Streamed response bodies", .serialized, .timeLimit(.minutes(5)))
struct ResponseBodyTests {
    private func site(_ body: (Site) async throws -> Void) async throws {
        Numbers.self <~ { range in
            guard range.count >= 0 else { throw Problem.badRequest("no numbers") }
            let next = Locked(range.first)
            return ResponseBody(mediaType: "text/plain") {
                next.withLock { next in
                    guard next < range.first + range.count else { return nil }
                    defer { next += 1 }
                    return Array("\(next)\n".utf8)
                }
            }
        }
        Reversed.self <~ { body in
            let reader = Locked<[[UInt8]]>([])
            for try await piece in body { reader.withLock { $0.append(piece) } }
            return ResponseBody { reader.withLock { $0.popLast().map { $0.reversed() } } }
        }
        Ticks.self <~ { range in
            let (events, continuation) = AsyncStream.makeStream(of: ServerSentEvent.self)
            for number in range.first..<range.first + range.count {
                continuation.yield(ServerSentEvent(data: "tick", id: String(number)))
            }
            continuation.finish()
            return EventStream(events)
        }
        let server = Server {
            Numbers.self
            Reversed.self
            Ticks.self
        }
        try await serving(server, body)
    }

    private func raw(_ target: String, _ site: Site) async throws -> String {
        let request = "GET \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        return String(decoding: try await exchange(request, port: site.port), as: UTF8.self)
    }

    @Test("a body is sent piece by piece with its media type")
    func pieces() async throws {
        try await site { site in
            let text = try await raw("/numbers/8?count=3", site)
            #expect(text.contains("\r\nContent-Type: text/plain\r\n"))
            #expect(text.hasSuffix("\r\n\r\n2\r\n8\n\r\n2\r\n9\n\r\n3\r\n10\n\r\n0\r\n\r\n"))
        }
    }

    @Test("an error before the first piece is a problem, as from any action")
    func problem() async throws {
        try await site { site in
            let none = try await site.send("GET", "/numbers/8?count=-1")
            #expect(none.status == 400)
            let odd = try await site.send("GET", "/numbers/x?count=1")
            #expect(odd.status == 400)
        }
    }

    @Test("a streamed request body can have a streamed response")
    func both() async throws {
        try await site { site in
            let request =
                "POST /reversed HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc"
            let text = String(decoding: try await exchange(request, port: site.port), as: UTF8.self)
            #expect(text.hasSuffix("3\r\ncba\r\n0\r\n\r\n"))
        }
    }

    @Test("events are sent as uncacheable text/event-stream (HTML Standard §9.2)")
    func events() async throws {
        try await site { site in
            let text = try await raw("/ticks/7?count=2", site)
            #expect(text.contains("\r\nContent-Type: text/event-stream\r\n"))
            #expect(text.contains("\r\nCache-Control: no-cache\r\n"))
            #expect(text.contains("id: 7\ndata: tick\n\n"))
            #expect(text.contains("id: 8\ndata: tick\n\n"))
        }
    }
}
