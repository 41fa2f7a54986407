import BlockingThreads
import Testing

/// Has a suite's tests run where they may block, as their clients do.
struct BlockingClients: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await BlockingThreads.run(function)
    }
}

extension Trait where Self == BlockingClients {
    /// The clients block in `poll`.
    static var blockingClients: Self { Self() }
}
