/// An implementation that fails each call with the same error.
final class FailingPlug<Input: Sendable, Output: Sendable>: Action<Input, Output> {
    private let error: any Error

    init(_ error: any Error) { self.error = error }

    override func performNow(_ input: Input) throws -> Output? { throw error }
}
