import Plug
import Testing

@Suite("Promise")
struct PromiseTests {
    class Double: Action<Int, Int> {}
    class Fail: Action<Int, Int> {}
    struct Refused: Error, Equatable { var number: Int }

    enum Context {
        @TaskLocal static var user = "nobody"
    }

    private func begin(_ number: Int) -> Promise<Int> { action(Double.self, number) }

    init() {
        Double.self <~ { $0 * 2 }
        Fail.self <~ { throw Refused(number: $0) }
    }

    @Test("await returns its value")
    func value() async throws {
        func begin() -> Promise<Int> { action(Double.self, 21) }
        #expect(try await begin().value == 42)
        let promise = Promise { try await action(Double.self, 4) }
        #expect(try await promise.value == 8)
    }

    @Test("then maps the output")
    func map() async throws {
        let text = begin(21).then { number in "\(number)" }
        #expect(try await text.value == "42")
    }

    @Test("then flattens a promise")
    func flatten() async throws {
        let twice: Promise<Int> = begin(10).then { number in
            action(Double.self, number)
        }
        #expect(try await twice.value == 40)
        let thrice = begin(10)
            .then { action(Double.self, $0) }
            .then { number in
                let next = number + 1
                return action(Double.self, next)
            }
        #expect(try await thrice.value == 82)
    }

    @Test("then may await and return nothing")
    func awaiting() async throws {
        let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
        let done: Promise<Void> = begin(1).then { number in
            let next = try await action(Double.self, number)
            continuation.yield(next)
            continuation.finish()
        }
        try await done.value
        #expect(await Array(numbers) == [4])
    }

    @Test("an error skips then, calls onError and finally, and reaches the next promise")
    func error() async throws {
        let (events, continuation) = AsyncStream.makeStream(of: String.self)
        let last = Promise { try await action(Fail.self, 7) }
            .then { _ in continuation.yield("then") }
            .onError { error in continuation.yield("error \((error as? Refused)?.number ?? 0)") }
            .finally {
                continuation.yield("finally")
                continuation.finish()
            }
        await #expect(throws: Refused(number: 7)) { try await last.value }
        #expect(await Array(events) == ["error 7", "finally"])
    }

    @Test("without an error onError is skipped and finally runs")
    func noError() async throws {
        let (events, continuation) = AsyncStream.makeStream(of: String.self)
        let last = begin(1)
            .onError { _ in continuation.yield("error") }
            .finally { continuation.yield("finally") }
            .then { _ in continuation.finish() }
        try await last.value
        #expect(await Array(events) == ["finally"])
    }

    @Test("an error thrown in then reaches the next promise")
    func thenThrows() async {
        let failed = begin(1).then { number -> Int in throw Refused(number: number) }
        await #expect(throws: Refused(number: 2)) { try await failed.value }
    }

    @Test("an unplugged action is an error of the promise")
    func notPlugged() async {
        class Lonely: Action<Void, Int> {}
        func begin() -> Promise<Int> { action(Lonely.self) }
        await #expect(throws: NotPlugged.self) { try await begin().value }
    }

    @Test("a discarded promise runs to its end")
    func discarded() async throws {
        class Note: Action<Int, Void> {}
        let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
        Note.self <~ { number in
            continuation.yield(number)
            if number == 3 { continuation.finish() }
        }
        func begin() {
            action(Note.self, 1).then {
                action(Note.self, 2).then { action(Note.self, 3) }
            }
        }
        begin()
        #expect(await Array(numbers) == [1, 2, 3])
    }

    @Test("task-local values are inherited along the chain")
    func taskLocals() async throws {
        class Who: Action<Void, String> {}
        Who.self <~ { Context.user }
        func begin() -> Promise<String> {
            Context.$user.withValue("ada") {
                action(Who.self).then { user in user + " " + Context.user }
            }
        }
        #expect(try await begin().value == "ada ada")
    }

    @Test("cancel reaches the first call of a chain")
    func cancel() async throws {
        class Endless: Action<Void, Void> {}
        let (events, continuation) = AsyncStream.makeStream(of: String.self)
        Endless.self <~ {
            let (never, _) = AsyncStream.makeStream(of: Int.self)
            continuation.yield("begun")
            for await _ in never {}
            continuation.yield("cancelled: \(Task.isCancelled)")
            continuation.finish()
            try Task.checkCancellation()
        }
        func begin() -> Promise<Int> { action(Endless.self).then { 1 }.onError { _ in } }
        let last = begin()
        var heard: [String] = []
        for await event in events {
            heard.append(event)
            if event == "begun" { last.cancel() }
        }
        #expect(heard == ["begun", "cancelled: true"])
        await #expect(throws: CancellationError.self) { try await last.value }
    }

    @Test("a closure isolated to the main actor runs there")
    @MainActor func mainActor() async throws {
        @MainActor final class Screen {
            var text = ""
            func show() -> Promise<Void> {
                action(Double.self, 4).then { @MainActor number in
                    MainActor.preconditionIsolated()
                    self.text = "\(number)"
                }
            }
            func showTwice() -> Promise<Int> {
                action(Double.self, 4).then { @MainActor number in
                    MainActor.preconditionIsolated()
                    self.text = "\(number)"
                    return action(Double.self, number)
                }
            }
        }
        let screen = Screen()
        try await screen.show().value
        #expect(screen.text == "8")
        #expect(try await screen.showTwice().value == 16)
    }
}
