import Eventually
import Testing

@testable import Plug

@Suite("Timeouts of plugs")
struct TimedPlugTests {
    private class Read: Action<Int, String>, SafeAction {}
    private class Write: Action<Int, String> {}

    @Test("a timeout cancels the implementation, and its error names the action and the time")
    func timeout() async throws {
        let (ended, end) = AsyncStream.makeStream(of: Bool.self)
        try await planning(PlanClock().tools()) {
            Write.named("one") <~ { _ in
                let (never, _) = AsyncStream.makeStream(of: Void.self)
                for await _ in never {}
                end.yield(Task.isCancelled)
                end.finish()
                throw CancellationError()
            }
            Write.self <~ .timeout("one", seconds: 5)
        } _: {
            let error = await #expect(throws: TimedOut.self) { try await action(Write.self, 1) }
            #expect(error?.description == "Write's plug timed out after 5 s")
            let wasCancelled = await ended.first { _ in true }
            #expect(wasCancelled == true)
        }
    }

    @Test("an implementation that ignores cancellation counts as failed, and delays no caller")
    func stubborn() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        try await planning(PlanClock().tools()) {
            Write.named("one") <~ { _ in
                // A task of its own doesn't hear of the cancellation.
                await Task.detached { for await _ in gate {} }.value
                throw CancellationError()
            }
            Write.self <~ .timeout("one", seconds: 5)
        } _: {
            await #expect(throws: TimedOut.self) { try await action(Write.self, 1) }
            open.finish()
            try await eventually("the end of the call") {
                PlugCell.liveBook(of: Write.self).state.implementations[0].calls > 0
            }
            #expect(PlugCell.liveBook(of: Write.self).state.implementations[0].errors == 1)
        }
    }

    @Test("an output in time ends the wait")
    func inTime() async throws {
        try await planning(PlanClock().tools(sleeps: false)) {
            Write.named("one") <~ { "\($0)" }
            Write.self <~ .timeout("one", seconds: 5)
        } _: {
            let told = try await action(Write.self, 1)
            #expect(told == "1")
        }
    }

    @Test("a fallback continues after a step's timeout")
    func fallback() async throws {
        let clock = PlanClock()
        try await planning(clock.tools()) {
            Read.named("slow") <~ { _ in
                let (never, _) = AsyncStream.makeStream(of: Void.self)
                for await _ in never {}
                throw CancellationError()
            }
            Read.named("one") <~ { "one \($0)" }
            Read.self <~ .fallback(.init("slow", timeout: 30), "one")
        } _: {
            let told = try await action(Read.self, 1)
            #expect(told == "one 1")
            #expect(clock.slept == [.seconds(30)])
        }
    }
}
