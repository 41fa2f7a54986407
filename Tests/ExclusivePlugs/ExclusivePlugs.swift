import System
package import Testing

/// Runs the tests of several suites that plug the same actions one after the other.
///
/// A plug is the whole process's, and suites run in parallel.
package struct ExclusivePlugs: SuiteTrait, TestTrait, TestScoping {
    private static let queue = AsyncQueue<SingleKey>()

    package let isRecursive = true

    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await Self.queue.run(in: .only) { try await function() }
    }
}

extension Trait where Self == ExclusivePlugs {
    /// Plugs actions that other suites with this trait plug, too.
    package static var exclusivePlugs: Self { Self() }
}
