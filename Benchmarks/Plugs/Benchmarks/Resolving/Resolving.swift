import Benchmark
import Plug

/// The cost of finding an action's plug, and of a whole call.
let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock],
        warmupIterations: 100,
        scalingFactor: .kilo,
        maxDuration: .seconds(2),
        maxIterations: 20_000
    )

    Benchmark("closure") { benchmark in
        Increment.self <~ { $0 + 1 }
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { blackHole(try Actions.resolve(Increment.self)) }
    }

    Benchmark("implementation") { benchmark in
        Increment.self <~ IncrementByOne()
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { blackHole(try Actions.resolve(Increment.self)) }
    }

    Benchmark("override") { benchmark in
        try Actions.withPlugs {
            Increment.self <~ IncrementByOne()
        } operation: {
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations { blackHole(try Actions.resolve(Increment.self)) }
            benchmark.stopMeasurement()
        }
    }

    Benchmark("split") { benchmark in
        Increment.named("one") <~ IncrementByOne()
        Increment.named("two") <~ IncrementByOne()
        Increment.self <~ .split(["one": 90, "two": 10])
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { blackHole(try Actions.resolve(Increment.self)) }
    }

    Benchmark("call") { benchmark in
        Increment.self <~ IncrementByOne()
        benchmark.startMeasurement()
        for number in benchmark.scaledIterations {
            blackHole(try await action(Increment.self, number))
        }
    }
}

class Increment: Action<Int, Int> {}

final class IncrementByOne: Increment {
    override func perform(_ value: Int) async throws -> Int { value + 1 }
}
