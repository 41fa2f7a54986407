import Foundation
import HTTPTypes
import Locking
import Plug
import PlugHTTP
import PlugboardClient
import Testing

private class GetName: Action<Void, String>, GET { static var path: String { "/name" } }

@Suite("Stored responses of an unreachable server", .timeLimit(.minutes(5)))
struct OfflineTests {
    private let folder =
        FileManager.default.temporaryDirectory.path + "/offline-\(UUID().uuidString)"

    /// The state of a server.
    private enum State { case works, cut, frozen, status(HTTPResponse.Status), badInput }

    private func server(_ state: Locked<State>) -> MockTransport {
        MockTransport { _, _ in
            switch state.withLock({ $0 }) {
            case .works:
                let fields: HTTPFields = [.eTag: "\"1\"", .contentType: "application/json"]
                return .init(
                    HTTPResponse(status: .ok, headerFields: fields),
                    body: Array(#""ada""#.utf8)
                )
            case .cut: throw ClientError(.unreachable, "cut")
            case .frozen:
                // Only its cancellation ends it.
                for await _ in AsyncStream<Never>.makeStream().stream {}
                throw CancellationError()
            case .status(let status): return .status(status)
            case .badInput: throw ClientError(.invalidInput, "bad")
            }
        }
    }

    /// A client with a cache, the state of its server, and the reasons for stored responses.
    private func makeClient() -> (Client, Locked<State>, Locked<[String]>) {
        let (state, notices) = (Locked(State.works), Locked<[String]>([]))
        let transport = CachingTransport(server(state), folder: folder) { request, reason in
            notices.withLock { $0.append("\(request.path ?? ""): \(reason)") }
        }
        return (Client("https://a.example", transport: transport), state, notices)
    }

    @Test("a cut connection and a 503 give the stored response, and the reason")
    func stored() async throws {
        let (client, state, notices) = makeClient()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(try await client.send(GetName.self) == "ada")
        #expect(notices.withLock { $0 } == [])
        state.withLock { $0 = .cut }
        #expect(try await client.send(GetName.self) == "ada")
        state.withLock { $0 = .status(.serviceUnavailable) }
        #expect(try await client.send(GetName.self) == "ada")
        let reasons = notices.withLock { $0 }
        #expect(reasons.count == 2 && reasons.first == "/name: cut")
        #expect(reasons.last?.contains("503") == true)
        state.withLock { $0 = .works }
        #expect(try await client.send(GetName.self) == "ada")
        #expect(notices.withLock { $0.count } == 2)
    }

    @Test(
        "a stale response that must be revalidated is no result (RFC 9111 §4.2.4, §5.2.2.2)",
        arguments: [
            ([.age: "100"], true), ([.age: "100", .cacheControl: "max-age=60, no-cache"], true),
            ([.age: "100", .cacheControl: "max-age=3600, Must-Revalidate"], true),
            ([.age: "100", .cacheControl: "max-age=60, must-revalidate"], false),
            ([.age: "99999999999999999999", .cacheControl: "must-revalidate"], false),
            ([.age: "9223372036854775807", .cacheControl: "max-age=60,must-revalidate"], false),
            (
                [
                    .date: "Thu, 01 Jan 1970 00:00:01 GMT",
                    .cacheControl: "max-age=3600, must-revalidate",
                ], false
            ),
            (
                [
                    .date: "Thu, 01 Jan 1970 00:00:01 GMT",
                    .expires: "Thu, 31 Dec 9998 00:00:01 GMT", .cacheControl: "must-revalidate",
                ], true
            ),
        ] as [(HTTPFields, Bool)]
    )
    func stale(fields: HTTPFields, isResult: Bool) async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let isCut = Locked(false)
        let server = MockTransport { _, _ in
            if isCut.withLock({ $0 }) { throw ClientError(.unreachable, "cut") }
            var head = HTTPResponse(status: .ok, headerFields: fields)
            head.headerFields[.eTag] = "\"1\""
            return .init(head)
        }
        let transport = CachingTransport(server, folder: folder) { _, _ in }
        let request = HTTPRequest(method: .get, scheme: "https", authority: "a", path: "/")
        _ = try await transport.send(request, body: [])
        isCut.withLock { $0 = true }
        guard isResult else {
            await #expect(throws: ClientError.self) { try await transport.send(request, body: []) }
            return
        }
        let (response, _) = try await transport.send(request, body: [])
        #expect(try #require(response.headerFields[.age].flatMap { Int($0) }) >= 100)
    }

    @Test("a frozen server gives the stored response at the call's deadline")
    func deadline() async throws {
        let (client, state, notices) = makeClient()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(try await client.send(GetName.self) == "ada")
        state.withLock { $0 = .frozen }
        let limited = client.within(.milliseconds(50))
        #expect(try await limited.send(GetName.self) == "ada")
        #expect(notices.withLock { $0.count } == 1)
    }

    @Test("a cancelled call throws CancellationError, also with a stored response")
    func cancelled() async throws {
        let (client, state, notices) = makeClient()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(try await client.send(GetName.self) == "ada")
        state.withLock { $0 = .frozen }
        let task = Task { try await client.within(.seconds(1_000)).send(GetName.self) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(notices.withLock { $0 } == [])
    }

    @Test("without a stored response, and for errors that aren't the network's, the call throws")
    func absent() async throws {
        let (client, state, notices) = makeClient()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        state.withLock { $0 = .cut }
        await #expect(throws: ClientError.self) { try await client.send(GetName.self) }
        state.withLock { $0 = .frozen }
        let error = await #expect(throws: ClientError.self) {
            try await client.within(.milliseconds(20)).send(GetName.self)
        }
        #expect(error?.kind == .timedOut)
        state.withLock { $0 = .works }
        #expect(try await client.send(GetName.self) == "ada")
        state.withLock { $0 = .badInput }
        await #expect(throws: ClientError.self) { try await client.send(GetName.self) }
        state.withLock { $0 = .status(.notFound) }
        await #expect(throws: Problem.self) { try await client.send(GetName.self) }
        #expect(notices.withLock { $0 } == [])
    }

    @Test("no attempt starts after the call's deadline, whose time the server receives")
    func attempts() async throws {
        let server = MockTransport { _, _ in throw ClientError(.unreachable, "cut") }
        var policy = RetryingTransport.Policy()
        policy.maximumAttempts = 1_000_000
        policy.backoff = Backoff(first: .milliseconds(1), maximum: .milliseconds(1))
        let client = Client(
            "https://a.example",
            transport: RetryingTransport(server, policy: policy)
        )
        let error = await #expect(throws: ClientError.self) {
            try await client.within(.milliseconds(100)).send(GetName.self)
        }
        #expect(error?.kind == .unreachable || error?.kind == .timedOut)
        let count = server.requests.count
        #expect(count > 1 && count < 1_000_000)
        let field = try #require(HTTPField.Name("Request-Timeout"))
        #expect(server.requests.first?.request.headerFields[field] == "0.100")
    }

    @Test("the deadline of the current task limits a call; a shorter one of the client is sent")
    func nested() async throws {
        let server = MockTransport { _, _ in try .json("ada") }
        let client = Client("https://a.example", transport: server)
        let field = try #require(HTTPField.Name("Request-Timeout"))
        try await CallDeadline.within(.seconds(60)) {
            _ = try await client.send(GetName.self)
            _ = try await client.within(.seconds(2)).send(GetName.self)
            _ = try await client.within(.seconds(200)).send(GetName.self)
        }
        let sent = server.requests.map { $0.request.headerFields[field].flatMap(Double.init) ?? 0 }
        #expect(sent.count == 3 && sent[1] == 2)
        #expect([sent[0], sent[2]].allSatisfy { $0 > 0 && $0 <= 60 })
        await CallDeadline.within(.zero) {
            let error = await #expect(throws: ClientError.self) {
                try await client.send(GetName.self)
            }
            #expect(error?.kind == .timedOut)
        }
        #expect(server.requests.count == 3, "no request is sent after the deadline")
    }

    @Test("a task that outlives a call has no deadline of it")
    func outliving() async throws {
        let (isOver, over) = AsyncStream<Void>.makeStream()
        let task = await CallDeadline.within(.seconds(60)) {
            let inner = await CallDeadline.within(.seconds(5)) {
                #expect((CallDeadline.remaining ?? .zero) <= .seconds(5))
                return Task {
                    for await _ in isOver { break }
                    return CallDeadline.current
                }
            }
            #expect((CallDeadline.remaining ?? .zero) > .seconds(5))
            return inner
        }
        over.yield()
        #expect(await task.value == nil)
    }
}

@Suite("Retry-After of a response")
struct RetryAfterTests {
    @Test(
        "is seconds or a date; other texts count as absent",
        arguments: [
            ("7", 7), ("0", 0), ("Thu, 01 Jan 1970 00:01:40 GMT", 60),
            ("Thu, 01 Jan 1970 00:00:01 GMT", 0), ("Thursday, 01-Jan-70 00:01:40 GMT", 60),
            ("9999999999999999", 1 << 40), ("99999999999999999999", nil), ("-1", nil), ("1.5", nil),
            ("", nil), ("soon", nil),
        ] as [(String, Int?)]
    )
    func values(text: String, seconds: Int?) {
        let response = HTTPResponse(status: .ok, headerFields: [.retryAfter: text])
        #expect(response.retryAfter(at: 40) == seconds.map { .seconds($0) })
    }
}
