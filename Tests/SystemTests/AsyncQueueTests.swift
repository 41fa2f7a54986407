import Locking
import System
import Testing

@Suite("Queues of tasks", .timeLimit(.minutes(1)))
struct AsyncQueueTests {
    private struct Failure: Error {}

    private let queue = AsyncQueue<String>()

    @Test("one task of a queue runs at a time, and all run")
    func exclusive() async {
        let count = Locked(0)
        await withTaskGroup { group in
            for number in 0..<200 {
                group.addTask {
                    await queue.run(in: number.isMultiple(of: 2) ? "even" : "odd") {
                        guard number.isMultiple(of: 2) else { return }
                        let before = count.withLock { $0 }
                        await Task.yield()
                        count.withLock { $0 = before + 1 }
                    }
                }
            }
        }
        #expect(count.withLock { $0 } == 100)
    }

    @Test("queues don't wait for each other")
    func lines() async {
        let value = await queue.run(in: "a") { await queue.run(in: "b") { 7 } }
        #expect(value == 7)
    }

    @Test("an error frees the queue")
    func failure() async {
        await #expect(throws: Failure.self) { try await queue.run(in: "a") { throw Failure() } }
        #expect(await queue.run(in: "a") { 8 } == 8)
    }

    @Test("runIfFree runs its task only if the queue is free")
    func free() async {
        let inner = await queue.run(in: "a") { () async -> Int? in
            #expect(await queue.runIfFree(in: "b") { 1 } == 1)
            return await queue.runIfFree(in: "a") { 2 }
        }
        #expect(inner == nil)
        await #expect(throws: Failure.self) {
            _ = try await queue.runIfFree(in: "a") { throw Failure() }
        }
        #expect(
            await queue.runIfFree(in: "a") { await queue.runIfFree(in: "a") { 3 } } == .some(nil)
        )
        #expect(await queue.runIfFree(in: "a") { 4 } == 4)
    }
}
