import BlockingThreads
import Testing

/// Every case that talks to the server under test: without one each suite fails with the reason.
@Suite("HTTP/1.1 conformance", .serverUnderTest)
enum Conformance {}

/// The server under test answers before any case of the suite runs; the cases' clients may block.
struct ServerUnderTest: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func prepare(for test: Test) async throws {
        _ = try TargetServer.port.get()
    }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await BlockingThreads.run(function)
    }
}

extension Trait where Self == ServerUnderTest {
    static var serverUnderTest: Self { Self() }
}
