#if canImport(Glibc) || canImport(Musl)
import HTTPTypes
import Plug
import PlugHTTP
import PlugboardClient
import Testing

@Suite("Exchanges over sockets", .timeLimit(.minutes(5)))
struct SocketExchangeTests {
    private static let likes =
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 21\r\n\r\n"
        + #"{"photo":1,"likes":7}"#

    @Test("a request has the format of RFC 9112")
    func wire() async throws {
        let server = TestServer(.bytes(Self.likes), .bytes(pong))
        defer { server.stop() }
        var client = client(server)
        client.fields[.authorization] = "Bearer x"
        client.fields[.contentLength] = "999"
        client.fields[.connection] = "close"
        #expect(try await client.send(LikePhoto.self, .init(id: 1, user: "a")).likes == 7)
        #expect(try await client.send(Ping.self) == "pong")
        var events = server.events.makeAsyncIterator()
        let like = requestTimeout(in: await events.next())
        #expect(
            like.rest == "POST /photos/1/like HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"
                + "Authorization: Bearer x\r\n"
                + "Accept: application/json, application/problem+json\r\n"
                + "Content-Type: application/json\r\nContent-Length: 12\r\n\r\n"
                + #"{"user":"a"}"#
        )
        let ping = requestTimeout(in: await events.next())
        #expect(
            ping.rest == "GET /ping HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"
                + "Authorization: Bearer x\r\n"
                + "Accept: application/json, application/problem+json\r\n\r\n"
        )
    }

    @Test("the remaining time is sent in Request-Timeout, unless the client sets the field")
    func timeLeft() async throws {
        let server = TestServer(.bytes(pong), .bytes(pong))
        defer { server.stop() }
        var client = client(server) { $0.timeout = .milliseconds(987_654_321) }
        #expect(try await client.send(Ping.self) == "pong")
        var events = server.events.makeAsyncIterator()
        let left = try #require(requestTimeout(in: await events.next()).value)
        // Its form is the server's to refuse: digits, a point, three digits.
        #expect(left.split(separator: ".").last?.count == 3)
        let seconds = try #require(Double(left))
        #expect(seconds > 0 && seconds <= 987_654.321)
        client.fields[try #require(HTTPField.Name("Request-Timeout"))] = "1.5"
        #expect(try await client.send(Ping.self) == "pong")
        #expect(requestTimeout(in: await events.next()).value == "1.5")
    }

    @Test("an idempotent request is retried if a reused connection closes without a response")
    func retried() async throws {
        let server = TestServer(.bytes(pong), .close, .bytes(pong))
        defer { server.stop() }
        let client = client(server)
        #expect(try await client.send(Ping.self) == "pong")
        #expect(try await client.send(Ping.self) == "pong")
        #expect(await connections(of: server, count: 3) == [0, 0, 1])
    }

    @Test("a POST is never retried")
    func notRetried() async throws {
        let server = TestServer(.bytes(Self.likes), .close, .bytes(pong))
        defer { server.stop() }
        let client = client(server)
        _ = try await client.send(LikePhoto.self, .init(id: 1))
        let error = await #expect(throws: ClientError.self) {
            try await client.send(LikePhoto.self, .init(id: 2))
        }
        #expect(error?.kind == .unreachable)
        #expect(try await client.send(Ping.self) == "pong")
        #expect(await connections(of: server, count: 3) == [0, 0, 1])
    }

    @Test("a new connection that closes without a response is an error, without a retry")
    func freshClose() async {
        let server = TestServer(.close, .bytes(pong))
        defer { server.stop() }
        let error = await #expect(throws: ClientError.self) {
            try await client(server).send(Ping.self)
        }
        #expect(error?.kind == .unreachable)
        #expect(error?.problem == .badGateway())
    }

    @Test("a truncated response is an error, even for an idempotent request")
    func cutShort() async {
        let server = TestServer(
            .bytes(pong),
            .bytesThenClose("HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\n\"po"),
            .bytes(pong)
        )
        defer { server.stop() }
        let client = client(server)
        _ = try? await client.send(Ping.self)
        let error = await #expect(throws: ClientError.self) { try await client.send(Ping.self) }
        #expect(error?.kind == .invalidResponse)
    }

    @Test("a response that arrives before the body is sent is read")
    func earlyAnswer() async {
        class Upload: Action<String, Void> {}
        let server = TestServer(
            .early("HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n")
        )
        defer { server.stop() }
        let large = String(repeating: "a", count: 8 << 20)
        await #expect(throws: Problem.contentTooLarge()) {
            try await client(server).send(Upload.self, large)
        }
    }

    @Test("a server that doesn't respond in time is a 504")
    func timeout() async {
        let server = TestServer(.silence)
        defer { server.stop() }
        let client = client(server) { $0.timeout = .milliseconds(50) }
        let error = await #expect(throws: ClientError.self) { try await client.send(Ping.self) }
        #expect(error?.kind == .timedOut)
        #expect(error?.problem == .gatewayTimeout())
    }

    @Test("an endless response is a 504 after the timeout")
    func endless() async {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        // What is within the bounds of each line, and says next to nothing.
        let chunk = "1;\(String(repeating: "x", count: 60_000))\r\n \r\n"
        let server = TestServer(.endless(head, chunk))
        defer { server.stop() }
        let client = client(server) { $0.timeout = .milliseconds(300) }
        let error = await #expect(throws: ClientError.self) { try await client.send(Ping.self) }
        #expect(error?.kind == .timedOut)
    }

    @Test("cancelling the task closes the connection at once")
    func cancel() async throws {
        let server = TestServer(.silence)
        defer { server.stop() }
        let client = client(server)
        let task = Task { try await client.send(Ping.self) }
        for await event in server.events {
            switch event {
            case .request:
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
            case .closed(let connection):
                #expect(connection == 0)
                return
            }
        }
    }

    @Test("a task that is already cancelled sends nothing")
    func cancelledBefore() async {
        let server = TestServer(.bytes(pong))
        defer { server.stop() }
        let client = client(server)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.send(Ping.self)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("a response over the limit is rejected")
    func tooLarge() async {
        let server = TestServer(.bytes(pong))
        defer { server.stop() }
        let client = client(server) { $0.maximumResponse = 5 }
        let error = await #expect(throws: ClientError.self) { try await client.send(Ping.self) }
        #expect(error?.kind == .tooLarge)
    }
}
#endif
