import Eventually
import Locking
import Plug
import Synchronization
import Testing

/// Chains of 100,000 steps.
///
/// Recursion over them would overflow the stack.
@Suite("Long chains of promises")
struct PromiseChainTests {
    private static let count = 100_000

    /// An output that counts how many of its kind exist.
    private final class Token: Sendable {
        static let alive = Atomic(0)
        let number: Int

        init(_ number: Int) {
            self.number = number
            Self.alive.wrappingAdd(1, ordering: .sequentiallyConsistent)
        }

        deinit { Self.alive.wrappingSubtract(1, ordering: .sequentiallyConsistent) }
    }

    /// A promise that waits until it is opened or cancelled.
    private struct Gate {
        private let opening: AsyncStream<Void>.Continuation
        let promise: Promise<Int>

        init() {
            let (gate, opening) = AsyncStream.makeStream(of: Void.self)
            self.opening = opening
            promise = Promise {
                for await _ in gate {}
                try Task.checkCancellation()
                return 0
            }
        }

        func open() { opening.finish() }
    }

    @Test("a chain of finished steps holds only the last output")
    func finished() async throws {
        var last = Promise { Token(0) }
        for _ in 0..<Self.count {
            last = last.then { token in Token(token.number + 1) }
        }
        let number = try await last.value.number
        #expect(number == Self.count)
        try await eventually("the release of all other outputs") {
            Token.alive.load(ordering: .sequentiallyConsistent) == 1
        }
        withExtendedLifetime(last) {}
    }

    @Test("a chain of waiting steps can be released and runs to its end")
    func released() async throws {
        let (ends, end) = AsyncStream.makeStream(of: Int.self)
        let gate = Gate()
        func queue() {
            var last = gate.promise
            for _ in 0..<Self.count { last = last.then { $0 + 1 } }
            last.then { number in
                end.yield(number)
                end.finish()
            }
        }
        queue()
        gate.open()
        let number = await ends.first { _ in true }
        #expect(number == Self.count)
    }

    @Test("cancel reaches the first of many waiting steps, and skips all others")
    func cancelled() async {
        let ran = Atomic(0)
        var last = Gate().promise
        for _ in 0..<Self.count {
            last = last.then { number in
                ran.wrappingAdd(1, ordering: .relaxed)
                return number + 1
            }
        }
        last.cancel()
        await #expect(throws: CancellationError.self) { try await last.value }
        #expect(ran.load(ordering: .relaxed) == 0)
    }

    @Test("cancel reaches the innermost of many nested promises")
    func nested() async {
        let (depths, depth) = AsyncStream.makeStream(of: Void.self)
        @Sendable func nest(_ left: Int) -> Promise<Int> {
            if left == 0 {
                depth.finish()
                return Gate().promise
            }
            return Promise { left - 1 }.then { nest($0) }
        }
        let outermost = nest(Self.count)
        for await _ in depths {}
        outermost.cancel()
        await #expect(throws: CancellationError.self) { try await outermost.value }
    }

    @Test("a cancelled step cancels the promise that its closure returns")
    func cancelledBefore() async {
        let (begins, begin) = AsyncStream.makeStream(of: Void.self)
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        let first = Promise {
            begin.finish()
            // A task of its own doesn't receive the cancellation.
            await Task.detached { for await _ in gate {} }.value
        }
        let last: Promise<Int> = first.then { Gate().promise }
        for await _ in begins {}
        last.cancel()
        opening.finish()
        await #expect(throws: CancellationError.self) { try await last.value }
    }

    @Test("cancel returns even if a promise waits for itself", .timeLimit(.minutes(1)))
    func selfReference() async throws {
        let own = Locked<Promise<Int>?>(nil)
        let gate = Gate()
        let (begins, begin) = AsyncStream.makeStream(of: Void.self)
        let promise = gate.promise.then { _ throws -> Promise<Int> in
            defer { begin.finish() }
            return own.withLock { $0 } ?? Promise { 1 }
        }
        own.withLock { $0 = promise }
        gate.open()
        for await _ in begins {}
        promise.cancel()
        own.withLock { $0 = nil }
    }

    @Test("cancel after the end changes nothing")
    func tooLate() async throws {
        let last = Promise { 1 }.then { $0 + 1 }
        #expect(try await last.value == 2)
        last.cancel()
        #expect(try await last.value == 2)
    }
}
