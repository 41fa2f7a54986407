#if canImport(Glibc) || canImport(Musl)
#if canImport(Glibc)
import Glibc
#else
import Musl
#endif
import HTTPTypes
import Locking
import Plug
import PlugHTTP
import PlugboardClient
import Testing

@Suite("Bodies that SocketTransport streams", .timeLimit(.minutes(5)))
struct StreamedBodyTests {
    private static func chunked(_ count: Int) -> String {
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            + String(repeating: "a\r\n0123456789\r\n", count: count) + "0\r\n\r\n"
    }

    /// Streams a body and gives what the sink had of it.
    private func stream(
        _ client: Client,
        _ taken: Locked<[UInt8]> = Locked([])
    ) async throws -> [UInt8] {
        try await client.send(ActionRoute(Ping.self), nil) { piece in
            taken.withLock { $0 += piece }
        }
        return taken.withLock { $0 }
    }

    @Test(
        "a streamed response has no size limit, sized or chunked, and its connection is reused"
    )
    func streamed() async throws {
        let sized = "HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n"
        let server = TestServer(
            .bytes(Self.chunked(6_000)),
            .bytes(sized + String(repeating: "x", count: 60_000)),
            .bytes("HTTP/1.1 204 No Content\r\n\r\n"),
            .bytesThenClose("HTTP/1.1 200 OK\r\n\r\nall of it")
        )
        defer { server.stop() }
        let client = client(server) { $0.maximumResponse = 5 }
        let chunks = try await stream(client)
        #expect(chunks == Array(String(repeating: "0123456789", count: 6_000).utf8))
        let whole = try await stream(client)
        #expect(whole == [UInt8](repeating: 0x78, count: 60_000))
        let none = try await stream(client)
        #expect(none == [])
        let rest = try await stream(client)
        #expect(rest == Array("all of it".utf8))
        var events = server.events.makeAsyncIterator()
        let request = requestTimeout(in: await events.next())
        #expect(request.value == nil, "no timeout is sent")
        #expect(request.rest.hasPrefix("GET /ping HTTP/1.1"))
        for _ in 1...3 {
            guard case .request(connection: 0, _) = await events.next() else {
                Issue.record("another connection")
                return
            }
        }
    }

    @Test("an error response to a streamed call is thrown, and its size is limited")
    func streamedProblem() async throws {
        let answer = { (size: Int) in
            "HTTP/1.1 403 Forbidden\r\nContent-Length: \(size)\r\n\r\n"
                + String(repeating: "x", count: size)
        }
        let server = TestServer(.bytes(answer(100)), .bytes(answer(1_001)))
        defer { server.stop() }
        let client = client(server) { $0.maximumResponse = 1_000 }
        let taken = Locked<[UInt8]>([])
        let problem = await #expect(throws: Problem.self) { try await stream(client, taken) }
        #expect(problem?.status == .forbidden)
        let error = await #expect(throws: ClientError.self) { try await stream(client, taken) }
        #expect(error?.kind == .tooLarge)
        #expect(taken.withLock { $0 } == [])
    }

    @Test(
        "a truncated streamed response is an error",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nx\r\n",
        ]
    )
    func streamedHalf(text: String) async throws {
        let server = TestServer(.bytesThenClose(text))
        defer { server.stop() }
        let taken = Locked<[UInt8]>([])
        let error = await #expect(throws: ClientError.self) {
            try await stream(client(server), taken)
        }
        #expect(error?.kind == .invalidResponse)
        // Of what came with something wrong nothing has to be handed on.
        let isWrong = text.hasSuffix("x\r\n")
        #expect(isWrong || taken.withLock { $0 } == Array("abc".utf8))
    }

    @Test("a streamed response that stalls is a 504")
    func streamedHalt() async throws {
        // A machine that is busy elsewhere may need longer until the halt.
        for limit in [Duration.milliseconds(100), .seconds(3), .seconds(60)] {
            let server = TestServer(
                .bytes("HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\nabc")
            )
            defer { server.stop() }
            let taken = Locked<[UInt8]>([])
            let error = await #expect(throws: ClientError.self) {
                try await stream(client(server) { $0.timeout = limit }, taken)
            }
            #expect(error?.kind == .timedOut)
            if taken.withLock({ $0 }) == Array("abc".utf8) { return }
        }
        Issue.record("the body has never begun")
    }

    @Test(
        "an error of the response's sink ends the call; an unfinished response's connection is closed"
    )
    func streamedInVain() async throws {
        struct Full: Error {}
        let unfinished = "HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\nabc"
        let server = TestServer(.bytes(unfinished), .bytes(pong))
        defer { server.stop() }
        let client = client(server)
        await #expect(throws: Full.self) {
            try await client.send(ActionRoute(Ping.self), nil) { _ in throw Full() }
        }
        #expect(try await client.send(Ping.self) == "pong")
        #expect(await connections(of: server, count: 2) == [0, 1])
    }

    @Test("a streamed response has no total timeout while data arrives")
    func streamedLong() async throws {
        // A machine that is busy elsewhere may make pauses that are longer than a limit.
        for limit in [Duration.seconds(1), .seconds(10), .seconds(60)] {
            let server = TestServer(.bytes(Self.chunked(4_000)))
            defer { server.stop() }
            let client = client(server) { $0.timeout = limit }
            let begin = ContinuousClock.now
            let size = Locked(0)
            do {
                try await client.send(ActionRoute(Ping.self), nil) { piece in
                    // A slow disk.
                    while begin.duration(to: .now) <= limit { usleep(10_000) }
                    size.withLock { $0 += piece.count }
                }
            } catch let error as ClientError where error.kind == .timedOut {
                continue
            }
            #expect(size.withLock { $0 } == 40_000)
            return
        }
        Issue.record("it is held to a limit of its whole time")
    }

    // MARK: Of a request

    /// Sends a body piece by piece.
    private func send(
        _ client: Client,
        _ source: @escaping @Sendable () throws -> [UInt8]?
    ) async throws -> String {
        let route = try ActionRoute(Flush.self)
        let body = RequestBody(mediaType: "text/plain") { try source() }
        let answer = try await client.send(route, body)
        return String(decoding: answer, as: UTF8.self)
    }

    private func pieces(_ pieces: String...) -> @Sendable () -> [UInt8]? {
        let left = Locked(pieces[...])
        return { left.withLock { $0.popFirst() }.map { Array($0.utf8) } }
    }

    @Test("a streamed request is sent in chunks, and its connection is reused")
    func sent() async throws {
        let server = TestServer(.bytes(pong), .bytes(pong), .bytes(pong))
        defer { server.stop() }
        let client = client(server)
        let long = String(repeating: "0123456789abcdef", count: 1 << 10)
        let answer = try await send(client, pieces("abc", long, "\r\n0\r\n\r\n"))
        #expect(answer == "\"pong\"")
        _ = try await send(client, pieces())
        #expect(try await client.send(Ping.self) == "pong")
        var events = server.events.makeAsyncIterator()
        for body in ["3\r\nabc\r\n4000\r\n\(long)\r\n7\r\n\r\n0\r\n\r\n\r\n", ""] {
            guard case .request(connection: 0, let text) = await events.next() else {
                Issue.record("another connection")
                return
            }
            let parts = text.split(separator: "\r\n\r\n", maxSplits: 1)
            #expect(parts.last.map(String.init) == "\(body)0\r\n\r\n")
            let lines = parts[0].split(separator: "\r\n")
            #expect(lines.contains("Transfer-Encoding: chunked"))
            #expect(lines.contains("Content-Type: text/plain"))
            #expect(!lines.contains { $0.hasPrefix("Content-Length") })
            #expect(!lines.contains { $0.hasPrefix("Request-Timeout") }, "it has all the time")
        }
        guard case .request(connection: 0, _) = await events.next() else {
            Issue.record("the connection isn't kept")
            return
        }
    }

    @Test("an error of the request's source ends the call, and the connection isn't reused")
    func sentInVain() async throws {
        struct Unreadable: Error {}
        let server = TestServer(.bytes(pong))
        defer { server.stop() }
        let client = client(server)
        let count = Locked(0)
        await #expect(throws: Unreadable.self) {
            try await send(client) {
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                guard number < 3 else { throw Unreadable() }
                return [0x61]
            }
        }
        var events = server.events.makeAsyncIterator()
        #expect(await events.next() == .closed(connection: 0), "no end is made up")
        #expect(try await client.send(Ping.self) == "pong")
        #expect(await connections(of: server, count: 1) == [1])
    }

    @Test("an early response ends a streamed request")
    func answeredEarly() async throws {
        let server = TestServer(
            .early("HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n")
        )
        defer { server.stop() }
        // Without an end.
        let problem = await #expect(throws: Problem.self) {
            try await send(client(server)) { [UInt8](repeating: 0x61, count: 1 << 10) }
        }
        #expect(problem?.status == .contentTooLarge)
    }

    @Test("a streamed request has no timeout, but a missing response to it is a 504")
    func sentSlowly() async throws {
        let server = TestServer(.bytes(pong), .silence)
        defer { server.stop() }
        let limit = Duration.seconds(3)
        let client = client(server) { $0.timeout = limit }
        let begin = ContinuousClock.now
        let next = pieces("a", "b")
        let answer = try await send(client) {
            // A slow disk.
            while begin.duration(to: .now) <= limit { usleep(10_000) }
            return next()
        }
        #expect(answer == "\"pong\"")
        let error = await #expect(throws: ClientError.self) {
            try await send(client, pieces("a"))
        }
        #expect(error?.kind == .timedOut)
    }

    @Test("a transport without streaming sends the whole body at once")
    func notSent() async throws {
        let transport = CannedTransport("whole")
        let client = Client("http://a", transport: transport)
        let answer = try await send(client, pieces("abc", "def"))
        #expect(answer == "whole")
        #expect(transport.sent.map(\.body) == ["abcdef"])
    }

    @Test("a transport without streaming returns the whole body at once")
    func notStreamed() async throws {
        struct Whole: Transport {
            func send(
                _ request: HTTPRequest,
                body: [UInt8]
            ) async throws -> (HTTPResponse, [UInt8]) {
                (HTTPResponse(status: .ok), Array("whole".utf8))
            }
        }
        let body = try await stream(Client("http://localhost", transport: Whole()))
        #expect(body == Array("whole".utf8))
    }
}
#endif
