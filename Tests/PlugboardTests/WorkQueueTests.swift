import HTTPSyntax
import HTTPServer
import Locking
import Testing

@testable import Plugboard

@Suite("The queue of works")
struct WorkQueueTests {
    /// A gate that works wait at, and the number of works that have come to it.
    private final class Gate: Sendable {
        private let state = Locked((open: false, waiting: [CheckedContinuation<Void, Never>]()))
        let arrived = Locked(0)

        func pass() async {
            arrived.withLock { $0 += 1 }
            await withCheckedContinuation { continuation in
                let isOpen = state.withLock { state in
                    if !state.open { state.waiting.append(continuation) }
                    return state.open
                }
                if isOpen { continuation.resume() }
            }
        }

        func open() {
            let waiting = state.withLock { state in
                state.open = true
                defer { state.waiting = [] }
                return state.waiting
            }
            waiting.forEach { $0.resume() }
        }
    }

    @Test(
        "a limited number of works run, others wait in order, and the rest are rejected"
    )
    func limits() async throws {
        let (queue, gate) = (WorkQueue(workers: 2), Gate())
        let total = 2 + WorkQueue.maximumLength + 10
        let most = Locked((running: 0, most: 0))
        let results = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<total {
                group.addTask {
                    do {
                        return try await queue.run {
                            most.withLock {
                                $0.running += 1
                                $0.most = max($0.most, $0.running)
                            }
                            await gate.pass()
                            most.withLock { $0.running -= 1 }
                            return true
                        }
                    } catch {
                        return !(error is WorkQueue.Full)
                    }
                }
            }
            var rejected = 0
            var results: [Bool] = []
            for await result in group {
                results.append(result)
                if !result { rejected += 1 }
                // All that exceed the queue have been rejected: the others may go.
                if rejected == 10 { gate.open() }
            }
            return results
        }
        #expect(results.count { $0 } == total - 10)
        #expect(most.withLock { $0.most } == 2)
        #expect(try await queue.run { 7 } == 7)
    }

    @Test("a work is skipped if its client has disconnected")
    func cancelled() async throws {
        let (queue, gate) = (WorkQueue(workers: 1), Gate())
        let done = Locked(false)
        let first = Task { try await queue.run { await gate.pass() } }
        while gate.arrived.withLock({ $0 }) == 0 { await Task.yield() }
        let second = Task { try await queue.run { done.withLock { $0 = true } } }
        second.cancel()
        gate.open()
        try await first.value
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(!done.withLock { $0 })
    }

    @Test("a full queue's response is a 503 with Retry-After")
    func busy() {
        #expect(WorkQueue.busy.status == 503)
        #expect(WorkQueue.busy.fields.contains("retry-after") { $0.equals("1") })
    }
}
