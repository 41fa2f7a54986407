import Testing

@testable import Plug

private class Work: Action<Int, Int> {}

@Suite("Samples of plugs")
struct PlugSampleTests {
    struct Failed: Error {}

    private func state(
        _ plan: PlugPlan,
        _ breakers: [(String, PlugState.Breaker.State)]
    ) -> PlugState {
        PlugState(
            action: "Work",
            plan: plan,
            isLive: true,
            implementations: [],
            breakers: breakers.map { .init(at: $0.0, state: $0.1, failures: 0) }
        )
    }

    @Test("a plan's calls are counted by implementation, with failures and durations")
    func calls() async throws {
        try await Actions.withPlugs {
            Work.named("good") <~ { $0 + 1 }
            Work.named("bad") <~ { _ in throw Failed() }
            Work.self <~ .fallback("bad", "good")
        } operation: {
            for _ in 0..<3 {
                let output = try await action(Work.self, 1)
                #expect(output == 2)
            }
            let sample = PlugCell.liveBook(of: Work.self).sample
            #expect(sample.calls["bad"]?.errors == 3 && sample.calls["good"]?.errors == 0)
            #expect(sample.calls["good"]?.durations.counts.reduce(0, +) == 3)
        }
    }

    @Test("the innermost breaker around an implementation decides about it")
    func breakers() {
        let plan = PlugPlan.fallback(
            .init(.breaker(.split(["a": 50, "b": 50])), timeout: 1),
            .init(.retry(.breaker(.breaker("c")))),
            "d"
        )
        let states = state(
            plan,
            [
                ("/fallback/0/plug/breaker", .open), ("/fallback/1/retry/plug/breaker", .open),
                ("/fallback/1/retry/plug/breaker/plug/breaker", .closed),
            ]
        ).breakerStates
        #expect(states == ["a": .open, "b": .open, "c": .closed])
    }

    @Test("of several places of an implementation the most restrictive counts")
    func places() {
        let plan = PlugPlan.shadow(.breaker("a"), with: .cache(.breaker("a")))
        for (one, other, expected) in [
            (
                PlugState.Breaker.State.open, PlugState.Breaker.State.closed,
                PlugState.Breaker.State.open
            ),
            (.closed, .halfOpen, .halfOpen), (.closed, .closed, .closed),
        ] {
            let states = state(
                plan,
                [("/shadow/plug/breaker", one), ("/shadow/with/cache/plug/breaker", other)]
            ).breakerStates
            #expect(states == ["a": expected])
        }
    }
}
