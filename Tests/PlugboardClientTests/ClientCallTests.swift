import HTTPTypes
import Locking
import Plug
import PlugHTTP
import Testing

@testable import PlugboardClient

private class Labelled: Action<Labelled.Input, Int>, POST {
    struct Input: Codable, Sendable { var label: String }
    static var path: String { "/labelled" }
    static var fields: [String: HTTPField.Name] { ["label": .userAgent] }
}
private class Upload: Action<RequestBody, String>, POST { static var path: String { "/upload" } }
private class Download: Action<Void, ResponseBody>, GET { static var path: String { "/download" } }

@Suite("Calls of a client", .timeLimit(.minutes(5)))
struct ClientCallTests {
    @Test(
        "a member that a header field can't carry is an error before anything is sent",
        arguments: ["a\r\nX-Evil: 1", "a\n", "\r", "\u{0}", "\u{7F}", " a", "a\t"]
    )
    func field(value: String) async throws {
        let server = MockTransport { _, _ in try .json(1) }
        let client = Client("http://localhost", transport: server)
        let error = await #expect(throws: ClientError.self) {
            try await client.send(Labelled.self, .init(label: value))
        }
        #expect(error?.kind == .invalidInput)
        #expect(server.requests.isEmpty)
    }

    @Test("a token that goes over plain http to another host causes one warning for the host")
    func warning() async throws {
        let server = MockTransport { _, _ in try .json("pong") }
        let warnings = Locked<[String]>([])
        func send(_ url: String, token: String? = "secret") async throws {
            var client = Client(url, token: token, transport: server)
            client.warn = { text in warnings.withLock { $0.append(text) } }
            _ = try await client.send(Ping.self)
        }
        for url in ["http://warned.example", "http://WARNED.example"] { try await send(url) }
        #expect(warnings.withLock { $0.count } == 1)
        #expect(warnings.withLock { $0.first?.contains("warned.example") } == true)
        #expect(warnings.withLock { $0.first?.contains("secret") } == false)
        try await send("http://127.evil.example:8080")
        #expect(warnings.withLock { $0.count } == 2)
        for url in [
            "https://a.example", "http://localhost:1", "http://127.0.0.1", "http://[::1]",
            "http://a.localhost",
        ] { try await send(url) }
        try await send("http://untold.example", token: nil)
        #expect(warnings.withLock { $0.count } == 2)
    }

    @Test("a call ends after its time, which the server receives")
    func within() async throws {
        let server = MockTransport { _, _ in
            try await Task.sleep(for: .seconds(300))
            return .status(.ok)
        }
        let client = Client("http://localhost", transport: server).within(.milliseconds(20))
        let error = await #expect(throws: ClientError.self) { try await client.send(Ping.self) }
        #expect(error?.kind == .timedOut)
        let name = try #require(HTTPField.Name("Request-Timeout"))
        #expect(server.requests.first?.request.headerFields[name] == "0.020")
        let quick = MockTransport { _, _ in try .json("pong") }
        let other = Client("http://localhost", transport: quick).within(.seconds(60))
        #expect(try await other.send(Ping.self) == "pong")
    }

    @Test("an upload and a download report their progress")
    func progress() async throws {
        let server = MockTransport { request, _ in
            let size: HTTPFields = [.contentLength: "3"]
            return request.method == .get
                ? .init(HTTPResponse(status: .ok, headerFields: size), body: [1, 2, 3])
                : try .json("done")
        }
        let client = Client("http://localhost", transport: server)
        let seen = Locked<[TransferProgress]>([])
        let body = RequestBody(bytes: [UInt8](repeating: 1, count: 100_000))
            .reportingProgress { progress in seen.withLock { $0.append(progress) } }
        #expect(try await client.send(Upload.self, body) == "done")
        #expect(server.requests.first?.body.count == 100_000)
        #expect(seen.withLock { $0.map(\.completed) } == [65_536, 100_000])
        #expect(seen.withLock { $0.map(\.total) } == [100_000, 100_000])
        seen.withLock { $0 = [] }
        let download = try await client.send(Download.self).reportingProgress { progress in
            seen.withLock { $0.append(progress) }
        }
        for try await _ in download {}
        #expect(seen.withLock { $0 } == [TransferProgress(completed: 3, total: 3)])
    }

    #if canImport(Glibc) || canImport(Musl)
    @Test(
        "a numeric address that is invalid never goes through the resolver",
        arguments: ["256.1.1.1", "1.2.3.4.5", "1.2.3.0x1g", "a.1", "09.0.0.1"]
    )
    func numeric(host: String) async throws {
        let client = Client("http://\(host):1", transport: SocketTransport())
        let error = await #expect(throws: ClientError.self) { try await client.send(Ping.self) }
        #expect(error?.kind == .invalidURL)
    }

    @Test("a request that is cancelled in the queue uses no connection")
    func cancelledInQueue() async throws {
        let server = TestServer(.bytes(pong), .silence, .bytes(pong))
        defer { server.stop() }
        let client = client(server) { $0.maximumConcurrency = 1 }
        #expect(try await client.send(Ping.self) == "pong")
        let first = Task { try await client.send(Ping.self) }
        var events = server.events.makeAsyncIterator()
        for _ in 0..<2 { _ = await events.next() }
        let queued = (0..<20).map { _ in Task { try await client.send(Ping.self) } }
        for task in queued {
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        first.cancel()
        #expect(await events.next() == .closed(connection: 0))
        #expect(try await client.send(Ping.self) == "pong")
        guard case .request(connection: 1, _) = await events.next() else {
            Issue.record("the cancelled requests used a connection")
            return
        }
    }
    #endif
}
