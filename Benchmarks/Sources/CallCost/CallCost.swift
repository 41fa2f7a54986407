import Plug

/// The cost of calling an action besides its work: the look-up of the plug, the fresh
/// implementation, the asynchronous call.
@main
struct CallCost {
    static func main() async throws {
        Increment.self <~ IncrementByOne()
        try await measure("an implementation, made afresh") { try await action(Increment.self, $0) }

        Increment.self <~ { $0 + 1 }
        try await measure("a closure") { try await action(Increment.self, $0) }

        try await Actions.withPlugs {
            Increment.self <~ IncrementByOne()
        } operation: {
            try await measure("a task's own plug") { try await action(Increment.self, $0) }
        }
    }

    private static func measure(
        _ name: String,
        _ call: @Sendable (Int) async throws -> Int
    ) async throws {
        let count = 1_000_000
        var best = Duration.seconds(1_000_000)
        for _ in 0..<5 {
            var value = 0
            let start = ContinuousClock.now
            for _ in 0..<count { value = try await call(value) }
            best = min(best, ContinuousClock.now - start)
            precondition(value == count)
        }
        let nanoseconds =
            Double(best.components.attoseconds) / 1e9 / Double(count)
            + Double(best.components.seconds) * 1e9 / Double(count)
        print("\(Int(nanoseconds.rounded())) ns a call: \(name)")
    }
}

class Increment: Action<Int, Int> {}

final class IncrementByOne: Increment {
    override func perform(_ value: Int) async throws -> Int { value + 1 }
}
