/// A call that tries one wiring after the other until one succeeds.
final class FallbackPlug<Input: Sendable, Output: Sendable>: Action<Input, Output> {
    private let wirings: [Wiring<Input, Output>]

    init(_ wirings: [Wiring<Input, Output>]) { self.wirings = wirings }

    override func perform(_ input: Input) async throws -> Output {
        for wiring in wirings.dropLast() {
            do {
                return try await wiring.implementation().perform(input)
            } catch {
                if Task.isCancelled || CallOutcome(error) == .answered { throw error }
            }
        }
        guard let last = wirings.last else { return try await super.perform(input) }
        return try await last.implementation().perform(input)
    }
}
