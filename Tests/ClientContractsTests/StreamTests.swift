import Locking
import PlugboardClient
import Plugboard
import Testing

private class Count: Action<Box<Int>, AsyncThrowingStream<Box<Int>, any Error>>, GET {
    static var path: String { "/count/{value}" }
}
private class CountAll: Action<Void, AsyncStream<Int>>, GET { static var path: String { "/count" } }
private class CountLines: Action<Void, JSONLines<[String: Int?]>>, POST {
    static var path: String { "/count" }
}
private class CountOdd: Action<Box<Int>, Odd>, POST { static var path: String { "/odd" } }
private class Sizes: Action<RequestBody, AsyncStream<Int>>, POST {
    static var path: String { "/sizes" }
}
private class Repeat: Action<RequestBody, ResponseBody>, POST {
    static var path: String { "/repeat" }
}
private class Broken: Action<Void, AsyncThrowingStream<Int, any Error>>, GET {
    static var path: String { "/broken" }
}
private class Missing: Action<Void, ResponseBody>, GET {
    static var path: String { "/missing" }
    static var problems: [any DeclaredProblem.Type] { [Gone.self] }
}
private class Ping: Action<Void, String>, GET { static var path: String { "/ping" } }

private struct Gone: DeclaredProblem, Equatable {
    static let status = HTTPResponse.Status.gone
    static let type = "https://example.com/problems/gone"
    static let title = "Gone"
    var since: Int
}

/// The odd numbers below a limit.
private struct Odd: AsyncSequence, Sendable {
    let limit: Int

    struct AsyncIterator: AsyncIteratorProtocol {
        let limit: Int
        var next = 1

        mutating func next() async -> Int? {
            defer { next += 2 }
            return next < limit ? next : nil
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(limit: limit) }
}

@Suite("Streams of a client", .serialized, .timeLimit(.minutes(5)))
struct StreamTests {
    private struct Failure: Error {}

    private func site(_ body: (Client) async throws -> Void) async throws {
        Count.self <~ { count in
            AsyncThrowingStream { continuation in
                for number in 0..<count.value { continuation.yield(Box(number)) }
                continuation.finish()
            }
        }
        CountAll.self <~ { stream([1, 2, 3]) }
        CountLines.self <~ { JSONLines(stream([["a": 1, "b": nil], [:]])) }
        CountOdd.self <~ { Odd(limit: $0.value) }
        Sizes.self <~ { body in
            stream([try await bytes(body).count])
        }
        Repeat.self <~ { body in ResponseBody(body, mediaType: body.mediaType) }
        Broken.self <~ {
            AsyncThrowingStream { continuation in
                continuation.yield(1)
                continuation.finish(throwing: Failure())
            }
        }
        Missing.self <~ { throw Gone(since: 7) }
        Ping.self <~ { "pong" }
        let server = Server {
            Count.self
            CountAll.self
            CountLines.self
            CountOdd.self
            Sizes.self
            Repeat.self
            Broken.self
            Missing.self
            Ping.self
        }
        try await serving(server, body)
    }

    @Test("a stream of any sequence's values has the values of the process")
    func values() async throws {
        try await site { client in
            let counted = try await collect(client.send(Count.self, Box(1_000)))
            #expect(counted == (0..<1_000).map(Box.init))
            let none = try await collect(client.send(Count.self, Box(0)))
            #expect(none.isEmpty)
            let all = try await collect(client.send(CountAll.self))
            #expect(all == [1, 2, 3])
            let lines = try await collect(client.send(CountLines.self))
            #expect(lines == [["a": 1, "b": nil], [:]])
            let odd = try await collect(client.send(CountOdd.self, Box(8)))
            #expect(odd == [1, 3, 5, 7])
            let body = RequestBody(bytes: [1, 2, 3])
            let sizes = try await collect(client.send(Sizes.self, body))
            #expect(sizes == [3])
        }
    }

    @Test("a client that is plugged to a stream's action has the values of the server")
    func plugged() async throws {
        try await site { client in
            try await Actions.withPlugs {
                Count.self <~ client
                CountAll.self <~ client
                CountLines.self <~ client
                Sizes.self <~ client
                Repeat.self <~ client
            } operation: {
                let counted = try await collect(action(Count.self, Box(3)))
                #expect(counted.map(\.value) == [0, 1, 2])
                let all = try await collect(action(CountAll.self))
                #expect(all == [1, 2, 3])
                let lines = try await collect(action(CountLines.self))
                #expect(lines.count == 2)
                let sizes = try await collect(action(Sizes.self, RequestBody(bytes: [1])))
                #expect(sizes == [1])
                let same = try await bytes(action(Repeat.self, RequestBody(bytes: [7])))
                #expect(same == [7])
            }
        }
    }

    @Test("a body of 20 MB goes both ways at the same time")
    func bothWays() async throws {
        try await site { client in
            let piece = (0..<20_000).map { UInt8($0 % 251) }
            let left = Locked(1_000)
            let body = RequestBody(mediaType: "audio/wav") {
                let isLeft = left.withLock { left in
                    left -= 1
                    return left >= 0
                }
                return isLeft ? piece : nil
            }
            let answer = try await client.send(Repeat.self, body)
            #expect(answer.mediaType == "audio/wav")
            var size = 0
            var isSame = true
            for try await bytes in answer {
                for byte in bytes {
                    isSame = isSame && byte == piece[size % piece.count]
                    size += 1
                }
            }
            #expect(size == 20_000_000)
            #expect(isSame)
        }
    }

    @Test("a response arrives while the request's body is still sent")
    func early() async throws {
        try await site { client in
            let (pieces, continuation) = AsyncStream<[UInt8]>.makeStream()
            continuation.yield([1])
            var answer = try await client.send(Repeat.self, RequestBody(pieces)).makeAsyncIterator()
            #expect(try await answer.next() == [1])
            continuation.yield([2])
            #expect(try await answer.next() == [2])
            continuation.finish()
            #expect(try await answer.next() == nil)
        }
    }

    @Test("a stream that the server breaks off throws after its last value")
    func broken() async throws {
        try await site { client in
            var values: [Int] = []
            let error = await #expect(throws: ClientError.self) {
                for try await value in try await client.send(Broken.self) { values.append(value) }
            }
            #expect(error?.kind == .invalidResponse)
            #expect(values == [1])
        }
    }

    @Test("the declared problem of a stream's action is thrown")
    func problem() async throws {
        try await site { client in
            await #expect(throws: Gone(since: 7)) { try await client.send(Missing.self) }
        }
    }

    @Test("the error of a body's source is thrown")
    func source() async throws {
        try await site { client in
            await #expect(throws: Failure.self) {
                let body = RequestBody { throw Failure() }
                _ = try await bytes(client.send(Repeat.self, body))
            }
        }
    }

    @Test("200 open streams delay no other request")
    func many() async throws {
        try await site { client in
            var open: [ResponseBody] = []
            var sources: [AsyncStream<[UInt8]>.Continuation] = []
            for _ in 0..<200 {
                let (pieces, source) = AsyncStream<[UInt8]>.makeStream()
                source.yield([1])
                sources.append(source)
                open.append(try await client.send(Repeat.self, RequestBody(pieces)))
            }
            #expect(try await client.send(Ping.self) == "pong")
            for source in sources { source.finish() }
            for body in open {
                let answer = try await bytes(body)
                #expect(answer == [1])
            }
        }
    }

    @Test("a cancelled reader of a stream ends it at once")
    func cancelled() async throws {
        try await site { client in
            let (pieces, continuation) = AsyncStream<[UInt8]>.makeStream()
            let ended = Locked(false)
            continuation.onTermination = { _ in ended.withLock { $0 = true } }
            continuation.yield([1])
            let (begun, begin) = AsyncStream<Void>.makeStream()
            let task = Task {
                for try await _ in try await client.send(Repeat.self, RequestBody(pieces)) {
                    begin.yield()
                }
            }
            for await _ in begun { break }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            // The task that sends the body ends, too, and with it the body's source.
            while !ended.withLock({ $0 }) { await Task.yield() }
        }
    }
}
