import Locking

/// A time within which the answer has to come: `{"timeout": {"plug": "one", "seconds": 5}}`.
///
/// When it is over the implementation is cancelled and the call throws ``TimedOut``, whether the
/// implementation heeds that or not.
public struct PlugTimeout: Sendable, Hashable {
    /// What is waited for.
    public var plan: PlugPlan
    /// How long, in seconds.
    public var seconds: Double

    /// A time-out of a plan.
    public init(_ plan: PlugPlan, seconds: Double) {
        self.plan = plan
        self.seconds = seconds
    }
}

extension PlugTimeout: Codable {
    /// Decodes the time-out.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.members("plug", "seconds")
        self.init(
            try members.decode(PlugPlan.self, forKey: .plug),
            seconds: try members.decode(Double.self, forKey: PlanKey("seconds"))
        )
    }

    /// Encodes the time-out.
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
        _ board: PlanBoard<Input, Output>,
        at pointer: String
    ) -> Wiring<Input, Output> {
        TimeLimit.wire(board.wire(plan, at: pointer + "/timeout/plug"), seconds: seconds, board)
    }

    func mapping(_ transform: (PlugPlan) -> PlugPlan) -> PlugPlan {
        .timeout(PlugTimeout(transform(plan), seconds: seconds))
    }
}

/// The error of a plug that didn't answer within its plan's time.
public struct TimedOut: Error, Sendable, Equatable, CustomStringConvertible {
    /// The action's name.
    public let action: String
    /// How long it was waited for, in seconds.
    public let seconds: Double

    /// Who took too long, and for how long it was waited.
    public var description: String {
        "\(action)'s plug gave no answer within \(PlanCheck.text(seconds)) s"
    }
}

enum TimeLimit {
    static func wire<Input, Output>(
        _ next: Wiring<Input, Output>,
        seconds: Double,
        _ board: PlanBoard<Input, Output>
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
        // Not a task group: that would wait for an implementation which heeds no cancellation.
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

/// The first of several results.
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

/// Whether a time-out is why the current task is cancelled: then its end says something of the
/// implementation.
final class Expiry: Sendable {
    @TaskLocal static var current: Expiry?

    private let over = Locked(false)
    private let outer = Expiry.current

    var isOver: Bool { over.withLock { $0 } || outer?.isOver ?? false }

    func end() { over.withLock { $0 = true } }
}
