/// The error of a plug that exceeded its plan's timeout.
public struct TimedOut: Error, Sendable, Equatable, CustomStringConvertible {
    /// The action's name.
    public let action: String
    /// The timeout in seconds.
    public let seconds: Double

    /// Names the action and the timeout.
    public var description: String {
        "\(action)'s plug timed out after \(seconds.text) s"
    }
}

extension Wiring {
    /// Returns a wiring that fails calls of this one after a number of seconds.
    func limited(to seconds: Double, _ layer: PlanContext) -> Wiring {
        let tools = layer.tools
        let error = TimedOut(action: layer.action, seconds: seconds)
        return Wiring(making: { TimedPlug(self, error, tools) })
    }
}

private final class TimedPlug<Input: Sendable, Output: Sendable>: Action<Input, Output> {
    private let next: Wiring<Input, Output>
    private let error: TimedOut
    private let tools: PlanDependencies

    init(_ next: Wiring<Input, Output>, _ error: TimedOut, _ tools: PlanDependencies) {
        self.next = next
        self.error = error
        self.tools = tools
    }

    override func perform(_ input: Input) async throws -> Output {
        let race = Race<Output>()
        let expiry = TimeoutFlag()
        // Not a task group: it would wait for an implementation that ignores the cancellation.
        let work = TimeoutFlag.$current.withValue(expiry) { [next] in
            Task {
                do {
                    race.end(.success(try await next.implementation().perform(input)))
                } catch {
                    race.end(.failure(error))
                }
            }
        }
        let timer = Task { [tools, error] in
            do { try await tools.sleep(.seconds(error.seconds)) } catch { return }
            expiry.end()
            race.end(.failure(error))
            work.cancel()
        }
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            try await race.value
        } onCancel: {
            work.cancel()
        }
    }
}
