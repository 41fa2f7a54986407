import Locking
import System
import Testing

@Suite("Waiting for a task")
struct TaskCancellationTests {
    private struct Failure: Error {}

    @Test("a task's value and its error are the result")
    func results() async throws {
        let value = await Task<Int, any Error> { 1 }.result(afterCancellation: .seconds(60))
        #expect(try value?.get() == 1)
        let failed = await Task<Int, any Error> { throw Failure() }
            .result(afterCancellation: .seconds(60))
        #expect(throws: Failure.self) { try failed?.get() }
    }

    @Test("a cancelled caller waits for at most the limit, and the task continues")
    func limit() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let isDone = Locked(false)
        let slow = Task<Void, any Error>.detached {
            for await _ in gate { break }
            isDone.withLock { $0 = true }
        }
        let caller = Task { await slow.result(afterCancellation: .milliseconds(10)) == nil }
        caller.cancel()
        #expect(await caller.value)
        #expect(!isDone.withLock { $0 })
        open.yield()
        try await slow.value
        #expect(isDone.withLock { $0 })
    }

    @Test("a cancelled caller gets the result of a task that ends within the limit")
    func last() async throws {
        let caller = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await Task<Int, any Error>.detached { 1 }.result(afterCancellation: .seconds(60))
        }
        #expect(try await caller.value?.get() == 1)
    }
}
