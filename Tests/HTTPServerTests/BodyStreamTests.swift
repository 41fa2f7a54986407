import HTTPSyntax
import Synchronization
import Testing

@testable import HTTPServer

@Suite("Body streams")
struct BodyStreamTests {
    private func yield(_ stream: BodyStream, _ count: Int) -> Bool {
        [UInt8](repeating: 7, count: count).withUnsafeBufferPointer { stream.yield($0) }
    }

    @Test("pieces arrive in order, then the end")
    func order() async throws {
        let stream = BodyStream(UnreadBytes(budget: 1 << 20)) {}
        #expect(yield(stream, 5000))
        #expect(yield(stream, 6000))
        stream.finish()
        #expect(try await stream.next()?.count == 5000)
        #expect(try await stream.next()?.count == 6000)
        #expect(try await stream.next() == nil)
        #expect(try await stream.next() == nil)
    }

    @Test("a waiting reader receives the next piece")
    func waiting() async throws {
        let stream = BodyStream(UnreadBytes(budget: 1 << 20)) {}
        async let piece = stream.next()
        #expect(yield(stream, 3))
        stream.finish()
        #expect(try await piece?.count == 3)
    }

    @Test("a full window pauses reading until half of it is consumed")
    func window() async throws {
        let counter = Counter()
        let stream = BodyStream(UnreadBytes(budget: 1 << 20)) { counter.add() }
        #expect(yield(stream, 25 * 1024))
        #expect(yield(stream, 25 * 1024))
        #expect(!yield(stream, 25 * 1024))
        _ = try await stream.next()
        #expect(counter.value == 0)
        _ = try await stream.next()
        #expect(counter.value == 1)
        _ = try await stream.next()
        #expect(counter.value == 1)
    }

    @Test("small pieces are joined: one-byte chunks don't cost an array each")
    func joined() async throws {
        let stream = BodyStream(UnreadBytes(budget: 1 << 20)) {}
        for _ in 0..<10_000 { #expect(yield(stream, 1)) }
        stream.finish()
        var sizes: [Int] = []
        while let piece = try await stream.next() { sizes.append(piece.count) }
        #expect(sizes == [4096, 4096, 1808])
    }

    @Test("consumed bytes leave the window")
    func released() async throws {
        let stream = BodyStream(UnreadBytes(budget: 1 << 20)) {}
        for round in 0..<1000 {
            let hasRoom = yield(stream, 50 * 1024)
            #expect(hasRoom, "round \(round)")
            #expect(try await stream.next()?.count == 50 * 1024)
        }
    }

    @Test("above the budget reading pauses; above twice the budget there are too many bytes")
    func many() async throws {
        let untaken = UnreadBytes(budget: 10_000)
        let streams = (0..<3).map { _ in BodyStream(untaken) {} }
        #expect(yield(streams[0], 8000))
        #expect(!yield(streams[1], 8000))
        #expect(!untaken.areTooMany)
        #expect(!yield(streams[2], 8000))
        #expect(untaken.areTooMany)
        _ = try await streams[0].next()
        _ = try await streams[1].next()
        #expect(yield(streams[0], 1))
    }

    @Test("buffered bytes count until they are read or the stream fails")
    func counted() async throws {
        let untaken = UnreadBytes(budget: 1 << 20)
        var stream: BodyStream? = BodyStream(untaken) {}
        for count in [5000, 6000] { #expect(stream.map { yield($0, count) } == true) }
        #expect(untaken.count == 11_000)
        #expect(try await stream?.next()?.count == 5000)
        #expect(untaken.count == 6000)
        stream?.fail(CancellationError())
        stream = nil
        #expect(untaken.count == 0)
    }

    @Test("a second reader gets an error, not the first one's piece")
    func secondReader() async throws {
        let stream = BodyStream(UnreadBytes(budget: 1 << 20)) {}
        // Of two readers that wait, one is the second, whichever comes first.
        let readers = (0..<2).map { _ in Task { try await stream.next() } }
        var refused = 0
        await withTaskGroup(of: Bool.self) { group in
            for reader in readers {
                group.addTask {
                    do {
                        return try await reader.value == nil
                    } catch {
                        stream.finish()
                        return false
                    }
                }
            }
            for await hasEnded in group where !hasEnded { refused += 1 }
        }
        #expect(refused == 1)
    }

    @Test("a failed body throws after its earlier pieces are read")
    func failure() async throws {
        struct Broken: Error {}
        let stream = BodyStream(UnreadBytes(budget: 1 << 20)) {}
        #expect(yield(stream, 1))
        stream.fail(Broken())
        #expect(try await stream.next()?.count == 1)
        await #expect(throws: Broken.self) { try await stream.next() }
    }

    @Test("a cancelled task stops waiting")
    func cancellation() async {
        let stream = BodyStream(UnreadBytes(budget: 1 << 20)) {}
        let task = Task { try await stream.next() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    private final class Counter: Sendable {
        private let count = Atomic<Int>(0)
        var value: Int { count.load(ordering: .relaxed) }
        func add() { count.add(1, ordering: .relaxed) }
    }
}
