import Behaviors
import Benchmark
import JSONCodec
import Targeting

/// The cost of evaluating rules for a context.
///
/// The budgets are the figures of flagd's own benchmark.
let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock],
        warmupIterations: 100,
        scalingFactor: .kilo,
        maxDuration: .seconds(2),
        maxIterations: 20_000
    )

    measure("equality", #"{"==": [{"var": "country"}, "LV"]}"#)
    measure(
        "three-parts",
        #"""
        {"and": [{"==": [{"var": "country"}, "LV"]}, {"in": [{"var": "plan"}, ["free", "team", "pro"]]},
            {"starts_with": [{"var": "device.os"}, "i"]}]}
        """#
    )
    measure(
        "split",
        #"""
        {"if": [{"in": ["@acme.com", {"var": "email"}]},
            {"fractional": [{"cat": [{"var": "$flagd.flagKey"}, {"var": "email"}]},
                ["red", 25], ["blue", 25], ["green", 25], ["yellow", 25]]}, null]}
        """#
    )
    measure(
        "version-and-percentage",
        #"{"and": [{"sem_ver": [{"var": "version"}, ">=", "2.0.0"]}, {"rollout": 50}]}"#
    )
}

/// Measures a document of one module with that rule.
@Sendable
private func measure(_ name: String, _ rule: String) {
    Benchmark(name) { benchmark in
        let text = #"[{"name": "Banner", "when": \#(rule), "actions": []}]"#
        let behavior = try TargetedBehavior(BehaviorDocument(json: text.utf8))
        let context = try TargetingContext(
            targetingKey: "user-42",
            properties: [
                "country": "LV", "plan": "pro", "version": "2.3.1", "email": "ada@acme.com",
                "device": ["os": "iOS"],
            ]
        )
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { blackHole(behavior.evaluate(context)) }
    }
}
