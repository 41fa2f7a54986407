import Locking

/// A time limit for a plan: `{"timeout": {"plug": "one", "seconds": 5}}`.
///
/// At the limit the implementation is cancelled and the call throws ``TimedOut``. It throws even if
/// the implementation ignores the cancellation.
public struct PlugTimeout: Sendable, Hashable {
    /// The plan with the time limit.
    public var plan: PlugPlan
    /// The time limit in seconds.
    public var seconds: Double

    /// Creates a timeout around a plan.
    public init(_ plan: PlugPlan, seconds: Double) {
        self.plan = plan
        self.seconds = seconds
    }
}

extension PlugTimeout: Codable {
    /// Decodes the timeout.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.members("plug", "seconds")
        self.init(
            try members.decode(PlugPlan.self, forKey: .plug),
            seconds: try members.decode(Double.self, forKey: PlanKey("seconds"))
        )
    }

    /// Encodes the timeout.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: PlanKey.self)
        try members.encode(plan, forKey: .plug)
        try members.encode(seconds, forKey: PlanKey("seconds"))
    }
}

extension PlugTimeout: PlanLayer {
    func check(_ check: inout PlanCheck, at pointer: String) {
        check.expiry(seconds, at: pointer + "/timeout/seconds")
        check.plan(plan, at: pointer + "/timeout/plug")
    }

    func wire<Input, Output>(
        _ board: PlanParts<Input, Output>,
        at pointer: String
    ) -> Wiring<Input, Output> {
        TimeLimit.wire(board.wire(plan, at: pointer + "/timeout/plug"), seconds: seconds, board)
    }

    func mapping(_ transform: (PlugPlan) -> PlugPlan) -> PlugPlan {
        .timeout(PlugTimeout(transform(plan), seconds: seconds))
    }
}

/// The error of a plug that exceeded its plan's timeout.
public struct TimedOut: Error, Sendable, Equatable, CustomStringConvertible {
    /// The action's name.
    public let action: String
    /// The timeout in seconds.
    public let seconds: Double

    /// Names the action and the timeout.
    public var description: String {
        "\(action)'s plug timed out after \(PlanCheck.text(seconds)) s"
    }
}

enum TimeLimit {
    static func wire<Input, Output>(
        _ next: Wiring<Input, Output>,
        seconds: Double,
        _ board: PlanParts<Input, Output>
    ) -> Wiring<Input, Output> {
        let tools = board.tools
        let error = TimedOut(action: board.name, seconds: seconds)
        return Wiring(making: { TimedPlug(next, error, tools) })
    }
}

private final class TimedPlug<Input: Sendable, Output: Sendable>: Action<Input, Output> {
    private let next: Wiring<Input, Output>
    private let error: TimedOut
    private let tools: PlanTools

    init(_ next: Wiring<Input, Output>, _ error: TimedOut, _ tools: PlanTools) {
        self.next = next
        self.error = error
        self.tools = tools
    }

    override func perform(_ input: Input) async throws -> Output {
        let race = Race<Output>()
        let expiry = Expiry()
        // Not a task group: it would wait for an implementation that ignores the cancellation.
        let work = Expiry.$current.withValue(expiry) { [next] in
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

/// The first of several results wins.
private final class Race<Output: Sendable>: Sendable {
    private enum State {
        case open(CheckedContinuation<Output, any Error>?)
        case ended(Result<Output, any Error>)
    }

    private let state = Locked(State.open(nil))

    /// The first result, for one reader.
    var value: Output {
        get async throws {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Output, any Error>? = state.withLock { state in
                    if case .ended(let result) = state { return result }
                    state = .open(continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        }
    }

    func end(_ result: Result<Output, any Error>) {
        let waiting: CheckedContinuation<Output, any Error>? = state.withLock { state in
            guard case .open(let waiting) = state else { return nil }
            state = .ended(result)
            return waiting
        }
        waiting?.resume(with: result)
    }
}

/// Whether a timeout cancelled the current task.
///
/// In that case the cancellation counts as a failure of the implementation.
final class Expiry: Sendable {
    @TaskLocal static var current: Expiry?

    private let over = Locked(false)
    private let outer = Expiry.current

    var isOver: Bool { over.withLock { $0 } || outer?.isOver ?? false }

    func end() { over.withLock { $0 = true } }
}
