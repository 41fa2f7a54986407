import Eventually
@testable import Plug
import Synchronization
import Testing

@Suite("PlugShadow")
struct PlugShadowTests {
    class Double: Action<Int, Int>, IdempotentAction {}
    struct Refused: Error {}

    /// Waits for what a shadow's candidate, a task of its own, comes to.
    private func shadow(
        where isReached: (PlugState.Shadow) -> Bool
    ) async throws -> PlugState.Shadow? {
        var shadow: PlugState.Shadow?
        try await eventually("the candidate's calls") {
            shadow = PlugCell.liveBook(of: Double.self).state.shadows.first
            return shadow.map(isReached) ?? true
        }
        return shadow
    }

    @Test("the caller gets the plan's output, and different outputs are counted")
    func differences() async throws {
        try await Actions.withPlugs {
            Double.named("one") <~ { $0 * 2 }
            Double.named("two") <~ { $0 == 3 ? 7 : $0 * 2 }
            Double.self <~ .shadow("one", with: "two")
        } operation: {
            for input in 0..<5 {
                let output = try await action(Double.self, input)
                #expect(output == input * 2)
            }
            let shadow = try await shadow { $0.compared == 5 }
            #expect(shadow?.differences == 1)
            #expect(shadow?.at == "/shadow")
        }
    }

    @Test("a candidate's failure counts as a difference, and the call succeeds")
    func failing() async throws {
        try await Actions.withPlugs {
            Double.named("one") <~ { $0 * 2 }
            Double.named("two") <~ { _ in throw Refused() }
            Double.self <~ .shadow("one", with: "two")
        } operation: {
            let output = try await action(Double.self, 4)
            #expect(output == 8)
            let shadow = try await shadow { $0.compared == 1 }
            #expect(shadow?.differences == 1)
        }
    }

    @Test("a candidate that never returns delays no call, and its running calls are limited")
    func hanging() async throws {
        let (never, end) = AsyncStream.makeStream(of: Void.self)
        try await Actions.withPlugs {
            Double.named("one") <~ { $0 * 2 }
            Double.named("two") <~ { input in
                for await _ in never {}
                return input * 2
            }
            Double.self <~ .shadow("one", with: "two", limit: 2)
        } operation: {
            for input in 0..<5 {
                let output = try await action(Double.self, input)
                #expect(output == input * 2)
            }
            let full = try await shadow { $0.running == 2 }
            #expect(full?.skipped == 3)
            end.finish()
            let done = try await shadow { $0.running == 0 }
            #expect(done?.compared == 2)
            #expect(done?.differences == 0)
        }
    }

    @Test("outputs are compared only if they are equatable or encodable")
    func opaque() async throws {
        struct Opaque: Sendable { var number: Int }
        class Make: Action<Int, Opaque>, SafeAction {}
        try await Actions.withPlugs {
            Make.named("one") <~ { Opaque(number: $0) }
            Make.self <~ .shadow("one", with: "one")
        } operation: {
            _ = try await action(Make.self, 1)
            try await eventually("the candidate's call") {
                PlugCell.liveBook(of: Make.self).state.implementations[0].calls >= 2
            }
            let shadow = PlugCell.liveBook(of: Make.self).state.shadows.first
            #expect(shadow?.compared == 0)
        }
    }

    @Test("a guard removes a shadow with too many different outputs")
    func guarded() async throws {
        try await Actions.withPlugs {
            Double.named("one") <~ { $0 * 2 }
            Double.named("two") <~ { $0 * 3 }
            Double.self
                <~ .shadow("one", with: "two", guard: PlugGuard(differences: 0.1, calls: 3))
        } operation: {
            try await eventually("the guard's verdict") {
                if PlugCell.liveBook(of: Double.self).state.plan == "one" { return true }
                let output = try await action(Double.self, 1)
                #expect(output == 2)
                return false
            }
            let reason = PlugCell.liveBook(of: Double.self).state.unplugged?.reason
            #expect(reason?.contains("outputs differed") == true)
        }
    }
}
