import Foundation
import HTTPTypes
import Locking
import PlugboardClient
import Testing

@Suite("Transports around another one")
struct TransportTests {
    private func request(
        _ method: HTTPRequest.Method = .get,
        _ path: String = "/a",
        _ fields: HTTPFields = [:]
    ) -> HTTPRequest {
        HTTPRequest(
            method: method,
            scheme: "https",
            authority: "a.example",
            path: path,
            headerFields: fields
        )
    }

    // MARK: Redirects

    /// A server that redirects to a location, and responds to all others with the request's place.
    private func redirecting(
        _ status: HTTPResponse.Status,
        to location: String,
        from path: String = "/a"
    ) -> MockTransport {
        MockTransport { request, body in
            guard request.path == path else {
                let text = "\(request.method) \(request.authority ?? "")\(request.path ?? "")"
                return MockTransport.Response(
                    HTTPResponse(status: .ok),
                    body: Array(text.utf8) + body
                )
            }
            let fields: HTTPFields = [.location: location]
            return MockTransport.Response(HTTPResponse(status: status, headerFields: fields))
        }
    }

    @Test(
        "a redirect to the same origin is followed, with the method that its status asks for",
        arguments: [
            (301, HTTPRequest.Method.post, "GET a.example/b"),
            (302, .post, "GET a.example/b"), (303, .post, "GET a.example/b"),
            (303, .put, "GET a.example/b"), (302, .put, "PUT a.example/bbody"),
            (307, .post, "POST a.example/bbody"), (308, .patch, "PATCH a.example/bbody"),
            (308, .get, "GET a.example/bbody"),
        ]
    )
    func redirects(status: Int, method: HTTPRequest.Method, expected: String) async throws {
        let server = redirecting(.init(code: status), to: "/b")
        let (response, body) = try await RedirectingTransport(server)
            .send(request(method), body: Array("body".utf8))
        #expect(response.status == .ok)
        #expect(String(decoding: body, as: UTF8.self) == expected)
    }

    @Test(
        "a location is resolved against the request's URL",
        arguments: [
            ("b", "/x/b"), ("../b", "/b"), ("./b?c=../d", "/x/b?c=../d"), ("?c", "/x/a?c"),
            ("//a.example/b", "/b"), ("https://A.example:443/b/../c#d", "/c"),
        ]
    )
    func locations(location: String, path: String) async throws {
        let server = redirecting(.found, to: location, from: "/x/a")
        _ = try await RedirectingTransport(server).send(request(.get, "/x/a"), body: [])
        #expect(server.requests.map(\.request.path) == ["/x/a", path])
    }

    @Test("credentials don't go to another origin, and nothing goes there unless it is allowed")
    func otherOrigin() async throws {
        let secrets: HTTPFields = [.authorization: "Bearer a", .cookie: "b=c", .accept: "d"]
        let server = redirecting(.temporaryRedirect, to: "https://b.example/b")
        let (response, _) = try await RedirectingTransport(server)
            .send(request(.get, "/a", secrets), body: [])
        #expect(response.status == .temporaryRedirect)
        #expect(server.requests.count == 1)
        let (other, _) = try await RedirectingTransport(server, policy: .anyOrigin)
            .send(request(.get, "/a", secrets), body: [])
        #expect(other.status == .ok)
        #expect(server.requests.last?.request.headerFields == [.accept: "d"])
        #expect(server.requests.last?.request.authority == "b.example")
    }

    @Test("a redirect to plain http isn't followed")
    func downgrade() async throws {
        let server = redirecting(.found, to: "http://a.example/b")
        let (response, _) = try await RedirectingTransport(server, policy: .anyOrigin)
            .send(request(), body: [])
        #expect(response.status == .found)
        #expect(server.requests.count == 1)
    }

    @Test("endless redirects and invalid locations are errors")
    func badRedirects() async throws {
        let endless = redirecting(.found, to: "/a")
        let error = await #expect(throws: ClientError.self) {
            try await RedirectingTransport(endless).send(request(), body: [])
        }
        #expect(error?.kind == .invalidResponse)
        #expect(endless.requests.count == 6)
        for location in ["ftp://a/", "mailto:a@b", "https://a b/", "https://:80/"] {
            let invalid = await #expect(throws: ClientError.self) {
                try await RedirectingTransport(redirecting(.found, to: location))
                    .send(request(), body: [])
            }
            #expect(invalid?.kind == .invalidResponse, "\(location)")
        }
    }

    // MARK: Retries

    private final class Sleeps: Sendable {
        let all = Locked<[Duration]>([])
    }

    /// A server that fails so many times.
    private func failing(
        _ count: Int,
        _ failure: @escaping @Sendable () throws -> MockTransport.Response
    ) -> MockTransport {
        let left = Locked(count)
        return MockTransport { _, _ in
            let fails = left.withLock { left in
                left -= 1
                return left >= 0
            }
            return fails ? try failure() : .status(.noContent)
        }
    }

    private func retrying(
        _ server: MockTransport,
        _ sleeps: Sleeps = Sleeps(),
        _ change: (inout RetryingTransport.Policy) -> Void = { _ in }
    ) -> RetryingTransport {
        var policy = RetryingTransport.Policy()
        change(&policy)
        return RetryingTransport(server, policy: policy) { time in
            sleeps.all.withLock { $0.append(time) }
        }
    }

    @Test("an idempotent request is repeated after temporary failures, with jitter")
    func retries() async throws {
        let sleeps = Sleeps()
        let server = failing(2) { .status(.serviceUnavailable) }
        let (response, _) = try await retrying(server, sleeps).send(request(.put), body: [1])
        #expect(response.status == .noContent)
        #expect(server.requests.map(\.body) == [[1], [1], [1]])
        let waits = sleeps.all.withLock { $0 }
        #expect(waits.count == 2)
        #expect(waits[0] <= .milliseconds(200) && waits[1] <= .milliseconds(400))
        let broken = failing(1) { throw ClientError(.unreachable, "") }
        _ = try await retrying(broken).send(request(), body: [])
        #expect(broken.requests.count == 2)
    }

    @Test("after the last attempt its response or its error is the result")
    func attempts() async throws {
        let server = failing(9) { .status(.tooManyRequests) }
        let (response, _) = try await retrying(server).send(request(), body: [])
        #expect(response.status == .tooManyRequests)
        #expect(server.requests.count == 3)
        let broken = failing(9) { throw ClientError(.timedOut, "late") }
        await #expect(throws: ClientError(.timedOut, "late")) {
            try await retrying(broken).send(request(), body: [])
        }
        #expect(broken.requests.count == 3)
    }

    @Test("other failures and requests with an effect aren't repeated")
    func notRetried() async throws {
        let post = failing(9) { .status(.serviceUnavailable) }
        _ = try await retrying(post).send(request(.post), body: [])
        #expect(post.requests.count == 1)
        for status in [HTTPResponse.Status.badRequest, .internalServerError, .notFound] {
            let server = failing(9) { .status(status) }
            _ = try await retrying(server).send(request(), body: [])
            #expect(server.requests.count == 1)
        }
        let untrusted = failing(9) { throw ClientError(.untrusted, "") }
        _ = try? await retrying(untrusted).send(request(), body: [])
        #expect(untrusted.requests.count == 1)
    }

    @Test("a POST with an idempotency key is repeated, and the client can make the key")
    func keys() async throws {
        let key = try #require(HTTPField.Name("Idempotency-Key"))
        let own = failing(1) { .status(.badGateway) }
        _ = try await retrying(own).send(request(.post, "/a", [key: "\"1\""]), body: [])
        #expect(own.requests.map { $0.request.headerFields[key] } == ["\"1\"", "\"1\""])
        let made = failing(2) { .status(.badGateway) }
        _ = try await retrying(made) { $0.makesIdempotencyKeys = true }
            .send(request(.post), body: [])
        let keys = Set(made.requests.map { $0.request.headerFields[key] })
        #expect(keys.count == 1 && made.requests.count == 3)
        #expect(keys.first??.utf8.count == 34)
        let get = failing(0) { .status(.badGateway) }
        _ = try await retrying(get) { $0.makesIdempotencyKeys = true }.send(request(), body: [])
        #expect(get.requests.first?.request.headerFields[key] == nil)
    }

    @Test(
        "Retry-After is the least wait; one beyond the limit ends the attempts",
        arguments: [("7", 7, 2), ("61", nil, 1), ("-1", 0, 2), ("soon", 0, 2)]
            as [(String, Int?, Int)]
    )
    func retryAfter(value: String, seconds: Int?, count: Int) async throws {
        let sleeps = Sleeps()
        let server = failing(1) {
            let fields: HTTPFields = [.retryAfter: value]
            return MockTransport.Response(
                HTTPResponse(status: .serviceUnavailable, headerFields: fields)
            )
        }
        _ = try await retrying(server, sleeps).send(request(), body: [])
        #expect(server.requests.count == count)
        let waits = sleeps.all.withLock { $0 }
        #expect(waits.count == count - 1)
        if let seconds, let wait = waits.first {
            #expect(wait >= .seconds(seconds) && wait < .seconds(seconds + 1))
        }
    }

    @Test("the limit of a wait doubles up to the maximum, without overflow")
    func backoff() {
        let backoff = Backoff(first: .seconds(1), maximum: .seconds(5))
        #expect(
            [0, 1, 2, 3, 1_000_000].map(backoff.limit) == [1, 2, 4, 5, 5].map { .seconds($0) }
        )
        #expect(Backoff(first: .seconds(-1), maximum: .seconds(9)).delay(before: 3) == .zero)
    }

    // MARK: Tokens

    private let origin = "https://a.example"

    /// A server that accepts one token.
    private func accepting(_ token: String) -> MockTransport {
        MockTransport { request, _ in
            request.headerFields[.authorization] == "Bearer \(token)"
                ? .status(.noContent) : .status(.unauthorized)
        }
    }

    private func statuses(_ transport: some Transport, count: Int) async -> [Int] {
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<count {
                group.addTask { [request = request()] in
                    (try? await transport.send(request, body: []))?.0.status.code ?? 0
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test("1,000 concurrent 401s cause one refresh, and each request is repeated once")
    func refresh() async {
        let refreshes = Locked<[String?]>([])
        let server = accepting("new")
        let transport = AuthorizingTransport(server, for: origin, token: "old") { expired in
            refreshes.withLock { $0.append(expired) }
            await Task.yield()
            return "new"
        }
        let statuses = await statuses(transport, count: 1_000)
        #expect(statuses == Array(repeating: 204, count: 1_000))
        #expect(refreshes.withLock { $0 } == ["old"])
        #expect(server.requests.count <= 2_000)
    }

    @Test("after a failed refresh nothing is repeated, and there is no second refresh")
    func failedRefresh() async throws {
        struct Rejected: Error {}
        let refreshes = Locked(0)
        let started = Locked(0)
        let server = MockTransport { _, _ in
            // All requests are under way before the first 401.
            started.withLock { $0 += 1 }
            while started.withLock({ $0 }) < 1_000 { await Task.yield() }
            return .status(.unauthorized)
        }
        let transport = AuthorizingTransport(server, for: origin, token: "old") { _ in
            refreshes.withLock { $0 += 1 }
            throw Rejected()
        }
        let statuses = await statuses(transport, count: 1_000)
        #expect(statuses == Array(repeating: 0, count: 1_000))
        #expect(refreshes.withLock { $0 } == 1)
        #expect(server.requests.count == 1_000)
        await #expect(throws: Rejected.self) { try await transport.send(request(), body: []) }
        #expect(refreshes.withLock { $0 } == 2, "a later request tries again")
    }

    @Test("a refresh that uses the same transport ends, even if it gets a 401 itself")
    func reentrant() async throws {
        let transport = Locked<AuthorizingTransport?>(nil)
        let server = accepting("new")
        let own = AuthorizingTransport(server, for: origin, token: "old") {
            [request = request()] _ in
            let inner = transport.withLock { $0 }
            let status = try await inner?.send(request, body: []).0.status
            #expect(status == .unauthorized)
            return "new"
        }
        transport.withLock { $0 = own }
        let (response, _) = try await own.send(request(), body: [])
        #expect(response.status == .noContent)
        transport.withLock { $0 = nil }
    }

    @Test("without a token the first request gets one; a new token that fails is a 401")
    func firstToken() async throws {
        let server = accepting("new")
        let transport = AuthorizingTransport(server, for: origin, token: nil) { _ in "new" }
        #expect(try await transport.send(request(), body: []).0.status == .noContent)
        #expect(server.requests.count == 1)
        let wrong = AuthorizingTransport(server, for: origin, token: "old") { _ in "wrong" }
        #expect(try await wrong.send(request(), body: []).0.status == .unauthorized)
        let invalid = AuthorizingTransport(server, for: origin, token: nil) { _ in "a\r\nX: b" }
        let error = await #expect(throws: ClientError.self) {
            try await invalid.send(request(), body: [])
        }
        #expect(error?.kind == .invalidInput)
    }

    @Test(
        "a redirect to another origin, from inside of RedirectingTransport, carries no token",
        arguments: ["https://b.example/a", "https://a.example:444/a", "http://a.example/a"]
    )
    func otherOrigin(location: String) async throws {
        let refreshes = Locked(0)
        let server = MockTransport { request, _ in
            guard request.authority == "a.example", request.scheme == "https" else {
                return .status(.unauthorized)
            }
            let fields: HTTPFields = [.location: location]
            return .init(HTTPResponse(status: .temporaryRedirect, headerFields: fields))
        }
        let inner = AuthorizingTransport(server, for: origin + "/v1", token: "secret") { _ in
            refreshes.withLock { $0 += 1 }
            return "secret"
        }
        let transport = RedirectingTransport(inner, policy: .anyOrigin)
        let (response, _) = try await transport.send(request(), body: [])
        // A redirect from https to http is the response.
        #expect(
            response.status == (location.hasPrefix("https") ? .unauthorized : .temporaryRedirect)
        )
        let tokens = server.requests.map { $0.request.headerFields[.authorization] }
        #expect(tokens.first == "Bearer secret")
        #expect(tokens.dropFirst().allSatisfy { $0 == nil })
        #expect(refreshes.withLock { $0 } == 0, "another origin's 401 is no reason for a refresh")
    }

    @Test("an invalid URL of AuthorizingTransport is an error of each request")
    func invalidOrigin() async {
        let server = accepting("a")
        let transport = AuthorizingTransport(server, for: "a.example", token: "a") { _ in "a" }
        let error = await #expect(throws: ClientError.self) {
            try await transport.send(request(), body: [])
        }
        #expect(error?.kind == .invalidURL && server.requests.isEmpty)
    }

    @Test("a request that waits for a refresh ends immediately when it is cancelled")
    func cancelledRefresh() async throws {
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let (release, releaseNow) = AsyncStream<Void>.makeStream()
        let transport = AuthorizingTransport(accepting("new"), for: origin, token: "old") { _ in
            begin.yield()
            for await _ in release { break }
            return "new"
        }
        let task = Task { [request = request()] in try await transport.send(request, body: []) }
        for await _ in begun { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        releaseNow.yield()
    }

    // MARK: Recordings

    @Test("a recording replays the responses in their order, and has no secrets")
    func recording() async throws {
        let count = Locked(0)
        let server = MockTransport { _, _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            let fields: HTTPFields = [.setCookie: "secret2", .contentType: "a/b"]
            return MockTransport.Response(
                HTTPResponse(status: .created, headerFields: fields),
                body: [UInt8(number), 0, 255]
            )
        }
        let recorder = RecordingTransport(server)
        let secrets: HTTPFields = [.authorization: "Bearer secret1"]
        for body in [[1], [2], [1]] as [[UInt8]] {
            _ = try await recorder.send(request(.post, "/a", secrets), body: body)
        }
        let json = try recorder.recording.json()
        #expect(!String(decoding: json, as: UTF8.self).contains("secret"))
        let recording = try Recording(json: json)
        #expect(recording == recorder.recording && recording.count == 3)
        let replay = ReplayingTransport(recording)
        for (body, number) in [([1], 1), ([1], 3), ([2], 2)] as [([UInt8], UInt8)] {
            let (response, answer) = try await replay.send(request(.post), body: body)
            #expect(answer == [number, 0, 255])
            #expect(response.status == .created)
            #expect(response.headerFields[.contentType] == "a/b")
        }
        let error = await #expect(throws: ClientError.self) {
            try await replay.send(request(.post), body: [1])
        }
        #expect(error?.message.contains("POST https://a.example/a") == true)
    }

    @Test("a stream is recorded as far as it was read")
    func recordedStream() async throws {
        let pieces = Locked([[1, 2], [3], [4]] as [[UInt8]])
        let base = PieceTransport { pieces.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
        let recorder = RecordingTransport(base)
        let (_, body) = try await recorder.stream(request(), body: .none)
        var iterator = body.makeAsyncIterator()
        #expect(try await iterator.next() == [1, 2])
        #expect(try await iterator.next() == [3])
        let replay = ReplayingTransport(recorder.recording)
        let (response, answer) = try await replay.stream(request(), body: .none)
        #expect(response.status == .ok)
        #expect(try await answer.collect() == [1, 2, 3])
    }

    @Test("a recording survives its file; a missing or torn file is an error")
    func recordingFile() async throws {
        let file = FileManager.default.temporaryDirectory.path + "/recording-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: file) }
        #expect(throws: (any Error).self) { try Recording(file: file) }
        let recorder = RecordingTransport(accepting("a"))
        _ = try await recorder.send(request(), body: [])
        try recorder.recording.write(to: file)
        #expect(try Recording(file: file) == recorder.recording)
        try recorder.recording.json().dropLast(9).withUnsafeBytes { bytes in
            try Data(bytes).write(to: URL(filePath: file))
        }
        #expect(throws: (any Error).self) { try Recording(file: file) }
    }
}

/// A transport whose responses have these pieces.
private struct PieceTransport: Transport {
    let next: @Sendable () -> [UInt8]?

    func send(_ request: HTTPRequest, body: [UInt8]) async throws -> (HTTPResponse, [UInt8]) {
        throw ClientError(.invalidInput, "only streams")
    }

    func stream(
        _ request: HTTPRequest,
        body: TransportBody
    ) async throws -> (HTTPResponse, BodyPieces) {
        (HTTPResponse(status: .ok), BodyPieces { [next] in next() })
    }
}
