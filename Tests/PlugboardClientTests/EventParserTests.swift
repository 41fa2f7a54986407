import HTTPTypes
import Locking
import Plug
import PlugHTTP
import Testing

@testable import PlugboardClient

private class Numbers: Action<Void, JSONLines<Int>>, GET {
    static var path: String { "/numbers" }
}
private class Ticks: Action<Void, EventStream>, GET { static var path: String { "/ticks" } }
private class Lines: Action<Void, JSONLines<Int>>, GET { static var path: String { "/lines" } }

@Suite("Events of a client", .timeLimit(.minutes(5)))
struct EventParserTests {
    static let streams: [(String, [ServerSentEvent])] = [
        ("data: a\n\n", [.init(data: "a")]),
        ("data:a\r\rdata: b\r\n\r\n", [.init(data: "a"), .init(data: "b")]),
        ("data: a\ndata\ndata:  b\n\n", [.init(data: "a\n\n b")]),
        (
            ": comment\n\n\n:\nevent: e\nid: 7\nretry: 15\ndata: a\n\n",
            [.init(data: "a", event: "e", id: "7", retry: .milliseconds(15))]
        ),
        ("\u{FEFF}data: a\n\n", [.init(data: "a")]),
        ("id: 1\n\ndata: a\n\n", [.init(data: "a")]),
        ("data: a\nid: x\u{0}y\nretry: 1s\nretry:\nother: b\n\n", [.init(data: "a")]),
        ("event: e\n\ndata: a\n\n", [.init(data: "a")]),
        ("data: cut", []), ("data: cut\n", []), ("", []),
    ]

    @Test("a stream is parsed, however its bytes are split", arguments: streams)
    func parse(text: String, expected: [ServerSentEvent]) throws {
        for size in [1, 2, 3, 1_000] {
            var parser = EventParser()
            var events: [ServerSentEvent] = []
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                events += try parser.feed(Array(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
            #expect(events == expected, "\(text.debugDescription) in pieces of \(size)")
        }
    }

    @Test("each event survives the way over the wire")
    func roundTrip() throws {
        for data in ["", "\n", "a\nb", ": a", "data: b", "é🎈", " a "] {
            for id in [nil, "", "7", "a b"] as [String?] {
                let event = ServerSentEvent(data: data, event: id == "" ? nil : id, id: id)
                var parser = EventParser()
                #expect(try parser.feed(event.bytes) == [event])
            }
        }
    }

    #if canImport(Glibc) || canImport(Musl)
    private static let head =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"

    private static func chunk(_ text: String) -> String {
        "\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n"
    }

    private func fast(_ client: Client) -> Client {
        var client = client
        client.reconnection.backoff = Backoff(first: .milliseconds(1), maximum: .milliseconds(1))
        return client
    }

    @Test("a stream continues over a new connection after the last event's id")
    func reconnects() async throws {
        let server = TestServer(
            .bytesThenClose(Self.head + Self.chunk("id: 7\ndata: a\n\ndata: cu")),
            .close,
            .bytes("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n"),
            .bytesThenClose(Self.head + Self.chunk("data: b\n\n")),
            .bytes(Self.head + Self.chunk("data: c\n\n") + "0\r\n\r\n")
        )
        defer { server.stop() }
        var events: [String] = []
        for try await event in try await fast(client(server)).send(Ticks.self) {
            events.append(event.data)
        }
        #expect(events == ["a", "b", "c"])
        var ids: [Bool] = []
        for await event in server.events {
            guard case .request(_, let text) = event else { continue }
            ids.append(text.contains("Last-Event-ID: 7\r\n"))
            if ids.count == 5 { break }
        }
        #expect(ids == [false, true, true, true, true])
    }

    @Test("a stream of values is followed over a new connection, and each break is reported")
    func follows() async throws {
        let server = TestServer(
            .bytesThenClose(Self.head + Self.chunk("id: 1\ndata: 1\n\n")),
            .close,
            .bytes(Self.head + Self.chunk("id: 2\ndata: 2\n\n") + "0\r\n\r\n"),
            .bytes(Self.head + Self.chunk("data: {}\n\n") + "0\r\n\r\n")
        )
        defer { server.stop() }
        let breaks = Locked(0)
        var client = fast(client(server))
        client.reconnection.onBreak = { _ in breaks.withLock { $0 += 1 } }
        var numbers: [Int] = []
        for try await number in try await client.follow(Numbers.self) { numbers.append(number) }
        #expect(numbers == [1, 2])
        #expect(breaks.withLock { $0 } == 2)
        let error = await #expect(throws: ClientError.self) {
            for try await _ in try await client.follow(Numbers.self) {}
        }
        #expect(error?.kind == .invalidResponse)
        var requests: [String] = []
        for await event in server.events {
            guard case .request(_, let text) = event else { continue }
            requests.append(text)
            if requests.count == 4 { break }
        }
        #expect(requests.allSatisfy { $0.contains("Accept: text/event-stream") })
        #expect(requests[1...2].allSatisfy { $0.contains("Last-Event-ID: 1\r\n") })
    }

    @Test("a stream that the server ends is continued on demand, until a 204")
    func continues() async throws {
        let server = TestServer(
            .bytes(Self.head + Self.chunk("id: 1\ndata: a\n\n") + "0\r\n\r\n"),
            .bytes(Self.head + Self.chunk("data: b\n\n") + "0\r\n\r\n"),
            .bytes("HTTP/1.1 204 No Content\r\n\r\n")
        )
        defer { server.stop() }
        var client = fast(client(server))
        client.reconnection.continuesAfterEnd = true
        var events: [String] = []
        for try await event in try await client.send(Ticks.self) { events.append(event.data) }
        #expect(events == ["a", "b"])
    }

    @Test("without reconnection, and after the last attempt, a break is thrown")
    func never() async throws {
        let server = TestServer(
            .bytesThenClose(Self.head + Self.chunk("data: a\n\n")),
            .bytesThenClose(Self.head + Self.chunk("data: a\n\n")),
            .close,
            .close,
            .bytes(pong)
        )
        defer { server.stop() }
        var once = client(server)
        once.reconnection = .never
        await #expect(throws: ClientError.self) {
            for try await _ in try await once.send(Ticks.self) {}
        }
        var twice = fast(client(server))
        twice.reconnection.maximumAttempts = 2
        let error = await #expect(throws: ClientError.self) {
            for try await _ in try await twice.send(Ticks.self) {}
        }
        #expect(error?.kind == .unreachable)
    }

    @Test("a problem isn't retried, and a response of another type is an error")
    func rejected() async throws {
        let server = TestServer(
            .bytesThenClose(Self.head + Self.chunk("data: a\n\n")),
            .bytes("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"),
            .bytes(pong),
            .bytes(pong)
        )
        defer { server.stop() }
        let client = fast(client(server))
        let problem = await #expect(throws: Problem.self) {
            for try await _ in try await client.send(Ticks.self) {}
        }
        #expect(problem?.status == .forbidden)
        for _ in 0..<1 {
            let error = await #expect(throws: ClientError.self) {
                try await client.send(Ticks.self)
            }
            #expect(error?.kind == .invalidResponse)
            let lines = await #expect(throws: ClientError.self) {
                try await client.send(Lines.self)
            }
            #expect(lines?.kind == .invalidResponse)
        }
    }

    @Test("lines of JSON may be split anywhere, and have heartbeats between them")
    func lines() async throws {
        let pieces = ["1\n 2", "3\n", " ", " \n", "4\r\n5"]
        let head =
            "HTTP/1.1 200 OK\r\nContent-Type: application/jsonl\r\nTransfer-Encoding: chunked\r\n\r\n"
        let server = TestServer(
            .bytes(head + pieces.map(Self.chunk).joined() + "0\r\n\r\n"),
            .bytes(head + Self.chunk("1\nx\n2\n") + "0\r\n\r\n"),
            .bytesThenClose(head + Self.chunk("1\n2"))
        )
        defer { server.stop() }
        var values: [Int] = []
        for try await value in try await client(server).send(Lines.self) { values.append(value) }
        #expect(values == [1, 23, 4, 5])
        for _ in 0..<2 {
            var values: [Int] = []
            let error = await #expect(throws: ClientError.self) {
                for try await value in try await client(server).send(Lines.self) {
                    values.append(value)
                }
            }
            #expect(error?.kind == .invalidResponse)
            #expect(values == [1])
        }
    }
    #endif
}
