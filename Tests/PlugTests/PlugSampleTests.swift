import Testing

@testable import Plug

private class Work: Action<Int, Int> {}

@Suite("Samples of plugs")
struct PlugSampleTests {
    struct Failed: Error {}

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
}
