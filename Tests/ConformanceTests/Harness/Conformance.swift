import Testing

/// Every case that talks to the server under test: without one each suite fails with the reason.
@Suite("HTTP/1.1 conformance", .serverUnderTest)
enum Conformance {}

/// The server under test answers before any case of the suite runs.
struct ServerUnderTest: SuiteTrait {
    func prepare(for test: Test) async throws {
        _ = try TargetServer.port.get()
    }
}

extension Trait where Self == ServerUnderTest {
    static var serverUnderTest: Self { Self() }
}
