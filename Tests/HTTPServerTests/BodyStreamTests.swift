import HTTPCodec
import Synchronization
import Testing

@testable import HTTPServer

@Suite("Streams of a body")
struct BodyStreamTests {
    private func yield(_ stream: BodyStream, _ count: Int) -> Bool {
        [UInt8](repeating: 7, count: count).withUnsafeBufferPointer { stream.yield($0) }
    }

    @Test("pieces come in order, then the end")
    func order() async throws {
        let stream = BodyStream {}
        #expect(yield(stream, 1))
        #expect(yield(stream, 2))
        stream.finish()
        #expect(try await stream.next()?.count == 1)
        #expect(try await stream.next()?.count == 2)
        #expect(try await stream.next() == nil)
        #expect(try await stream.next() == nil)
    }

    @Test("who waits for a piece gets it when it comes")
    func waiting() async throws {
        let stream = BodyStream {}
        async let piece = stream.next()
        #expect(yield(stream, 3))
        stream.finish()
        #expect(try await piece?.count == 3)
    }

    @Test("a full window stops the reading, and half of it taken lets it go on")
    func window() async throws {
        let counter = Counter()
        let stream = BodyStream { counter.add() }
        #expect(yield(stream, 100 * 1024))
        #expect(yield(stream, 100 * 1024))
        #expect(!yield(stream, 100 * 1024))
        _ = try await stream.next()
        #expect(counter.value == 0)
        _ = try await stream.next()
        #expect(counter.value == 1)
        _ = try await stream.next()
        #expect(counter.value == 1)
    }

    @Test("a body that breaks off throws behind what had come")
    func failure() async throws {
        struct Broken: Error {}
        let stream = BodyStream {}
        #expect(yield(stream, 1))
        stream.fail(Broken())
        #expect(try await stream.next()?.count == 1)
        await #expect(throws: Broken.self) { try await stream.next() }
    }

    @Test("a task that is cancelled waits no longer")
    func cancellation() async {
        let stream = BodyStream {}
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
