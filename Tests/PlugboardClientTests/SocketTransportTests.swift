#if canImport(Glibc) || canImport(Musl)
import HTTPTypes
import Plug
import PlugHTTP
import PlugboardClient
import Testing

@Suite("SocketTransport", .timeLimit(.minutes(5)))
struct SocketTransportTests {
    private static let likes =
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 21\r\n\r\n"
        + #"{"photo":1,"likes":7}"#

    @Test("a problem in a chunked response is thrown")
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

    @Test("a connection that the server closed while idle isn't reused")
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

    @Test("a port without a listener is an error that maps to 502")
    func nobody() async {
        let server = TestServer()
        server.stop()
        let error = await #expect(throws: ClientError.self) {
            try await client(server).send(Ping.self)
        }
        #expect(error?.kind == .unreachable)
        #expect(error.map { Problem(for: $0).status } == .badGateway)
    }

    @Test("a host name without an address is an error")
    func unknownHost() async {
        let client = Client("http://nobody.invalid", transport: SocketTransport())
        let error = await #expect(throws: ClientError.self) { try await client.send(Ping.self) }
        #expect(error?.kind == .unreachable)
    }

    @Test("an authority with a name and a password is rejected and not repeated")
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

    @Test("another scheme is rejected with the supported one")
    func otherScheme() async throws {
        let request = HTTPRequest(method: .get, scheme: "ftp", authority: "localhost", path: "/")
        let error = await #expect(throws: ClientError.self) {
            try await SocketTransport().send(request, body: [])
        }
        #expect(error?.kind == .invalidURL)
        #expect(error?.message.contains("http") == true)
    }

    @Test("a TLS handshake that exceeds the timeout is a 504")
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

    @Test("a path with invalid characters is rejected")
    func brokenPath() async {
        let client = Client("http://localhost", transport: SocketTransport())
        for path in ["/a b", "/a\r\nX: y", "/é"] {
            let error = await #expect(throws: ClientError.self) {
                try await client.get(path, as: String.self)
            }
            #expect(error?.kind == .invalidInput)
        }
    }

    @Test("requests beyond the maximum concurrency wait, and all get responses")
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

    @Test("a request that waits too long for a connection is a 504")
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

    @Test("a waiting request ends immediately when it is cancelled")
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
