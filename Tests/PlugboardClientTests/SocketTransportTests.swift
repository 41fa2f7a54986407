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

@Suite("SocketTransport", .timeLimit(.minutes(5)))
struct SocketTransportTests {
    private static let likes =
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 21\r\n\r\n"
        + #"{"photo":1,"likes":7}"#

    @Test("a request is on the wire as RFC 9112 has it")
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

    @Test("the remaining time is sent, unless the request has the field")
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

    @Test("a problem comes through a real socket")
    func problem() async throws {
        let body = #"{"status":404,"title":"Not Found","detail":"no photo"}"#
        let server = TestServer(
            .bytes(
                "HTTP/1.1 404 Not Found\r\nContent-Type: application/problem+json\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n"
                    + "\(String(body.utf8.count, radix: 16))\r\n\(body)\r\n0\r\n\r\n"
            )
        )
        defer { server.stop() }
        await #expect(throws: Problem.notFound("no photo")) {
            try await client(server).send(Ping.self)
        }
    }

    @Test("a connection that the server closed while idle is not used again")
    func closedIdle() async throws {
        let server = TestServer(.bytesThenClose(Self.likes), .bytes(Self.likes))
        defer { server.stop() }
        let client = client(server)
        _ = try await client.send(LikePhoto.self, .init(id: 1))
        var events = server.events.makeAsyncIterator()
        while let event = await events.next(), event != .closed(connection: 0) {}
        _ = try await client.send(LikePhoto.self, .init(id: 2))
        guard case .request(connection: 1, let text) = await events.next() else {
            Issue.record("no second connection")
            return
        }
        #expect(text.hasPrefix("POST /photos/2/like"))
    }

    @Test("an idempotent request is sent again when a kept connection closes without an answer")
    func retried() async throws {
        let server = TestServer(.bytes(pong), .close, .bytes(pong))
        defer { server.stop() }
        let client = client(server)
        #expect(try await client.send(Ping.self) == "pong")
        #expect(try await client.send(Ping.self) == "pong")
        #expect(await connections(of: server, count: 3) == [0, 0, 1])
    }

    @Test("a POST is never sent twice")
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

    @Test("a fresh connection that closes without an answer is an error, not a reason to try again")
    func freshClose() async {
        let server = TestServer(.close, .bytes(pong))
        defer { server.stop() }
        let error = await #expect(throws: ClientError.self) {
            try await client(server).send(Ping.self)
        }
        #expect(error?.kind == .unreachable)
        #expect(error?.problem == .badGateway())
    }

    @Test("a response cut short is an error, even where the request is idempotent")
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

    @Test("a server that answers before the body has come is heard")
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

    @Test("nobody listening is an error that maps to 502")
    func nobody() async {
        let server = TestServer()
        server.stop()
        let error = await #expect(throws: ClientError.self) {
            try await client(server).send(Ping.self)
        }
        #expect(error?.kind == .unreachable)
        #expect(error.map { Problem(for: $0).status } == .badGateway)
    }

    @Test("a host without an address is an error")
    func unknownHost() async {
        let client = Client("http://nobody.invalid", transport: SocketTransport())
        let error = await #expect(throws: ClientError.self) { try await client.send(Ping.self) }
        #expect(error?.kind == .unreachable)
    }

    @Test("a server that doesn't answer in time is a 504")
    func timeout() async {
        let server = TestServer(.silence)
        defer { server.stop() }
        let client = client(server) { $0.timeout = .milliseconds(50) }
        let error = await #expect(throws: ClientError.self) { try await client.send(Ping.self) }
        #expect(error?.kind == .timedOut)
        #expect(error?.problem == .gatewayTimeout())
    }

    @Test("a server that never stops sending is a 504, too, and not waited for longer")
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

    @Test("a task that is cancelled already sends nothing")
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

    @Test("a response over the bound is refused")
    func tooLarge() async {
        let server = TestServer(.bytes(pong))
        defer { server.stop() }
        let client = client(server) { $0.maximumResponse = 5 }
        let error = await #expect(throws: ClientError.self) { try await client.send(Ping.self) }
        #expect(error?.kind == .tooLarge)
    }

    @Test("a request for a host with a name and a password is refused without telling them")
    func userInAuthority() async throws {
        let request = HTTPRequest(
            method: .get,
            scheme: "http",
            authority: "ada:s3cret@localhost",
            path: "/"
        )
        let error = await #expect(throws: ClientError.self) {
            try await SocketTransport().send(request, body: [])
        }
        #expect(error?.message == "\"…@localhost\" is not a host and port")
    }

    @Test("another scheme is refused with a word of what to do")
    func otherScheme() async throws {
        let request = HTTPRequest(method: .get, scheme: "ftp", authority: "localhost", path: "/")
        let error = await #expect(throws: ClientError.self) {
            try await SocketTransport().send(request, body: [])
        }
        #expect(error?.kind == .invalidURL)
        #expect(error?.message.contains("http") == true)
    }

    @Test("a TLS handshake that doesn't come to an end in time is a 504")
    func silentHandshake() async {
        let server = TestServer(.silence)
        defer { server.stop() }
        var limits = SocketTransport.Limits()
        limits.connectTimeout = .milliseconds(50)
        let client = Client(
            "https://127.0.0.1:\(server.port)",
            transport: SocketTransport(limits: limits)
        )
        let error = await #expect(throws: ClientError.self) { try await client.send(Ping.self) }
        #expect(error?.kind == .timedOut)
    }

    @Test("a path that would break the head is refused")
    func brokenPath() async {
        let client = Client("http://localhost", transport: SocketTransport())
        for path in ["/a b", "/a\r\nX: y", "/é"] {
            let error = await #expect(throws: ClientError.self) {
                try await client.get(path, as: String.self)
            }
            #expect(error?.kind == .invalidInput)
        }
    }

    @Test("more requests than threads wait for their turn and all are answered")
    func concurrency() async throws {
        let server = TestServer(repeating: .bytes(pong), count: 100)
        defer { server.stop() }
        let client = client(server) { $0.maximumConcurrency = 3 }
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<100 { group.addTask { try await client.send(Ping.self) } }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(answers == Array(repeating: "pong", count: 100))
        #expect(Set(await connections(of: server, count: 100)).isSubset(of: [0, 1, 2]))
    }

    @Test("a request whose turn doesn't come in time is a 504")
    func queued() async throws {
        let server = TestServer(.silence, .silence)
        defer { server.stop() }
        let client = client(server) {
            $0.maximumConcurrency = 1
            $0.timeout = .milliseconds(100)
        }
        let first = Task { try await client.send(Ping.self) }
        let second = Task { try await client.send(Ping.self) }
        for task in [first, second] {
            let error = await #expect(throws: ClientError.self) { try await task.value }
            #expect(error?.kind == .timedOut)
        }
    }

    @Test("a request that is cancelled before its turn comes ends at once")
    func queuedInVain() async throws {
        let server = TestServer(.silence)
        defer { server.stop() }
        let client = client(server) { $0.maximumConcurrency = 1 }
        let first = Task { try await client.send(Ping.self) }
        var events = server.events.makeAsyncIterator()
        guard case .request = await events.next() else {
            Issue.record("the first request hasn't come")
            return
        }
        let second = Task { try await client.send(Ping.self) }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
    }
}
#endif
