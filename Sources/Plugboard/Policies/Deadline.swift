import HTTPSyntax
import HTTPServer
import HTTPTransport
import Locking
import PlugHTTP

/// The timeout of an action: the request's `Request-Timeout`, limited by the server's.
enum Deadline {
    /// Returns the request's timeout; nil for none.
    ///
    /// - Throws: ``Problem`` if the field is invalid.
    static func duration(_ head: RequestHead, atMost limit: Int?) throws(Problem) -> Duration? {
        let limit = limit.map { $0 * 1000 }
        guard head.demands.contains(.timeout), let value = head.field("request-timeout") else {
            return limit.map { .milliseconds($0) }
        }
        guard head.count(of: "request-timeout") == 1, let number = StructuredItem.bare(value),
            let asked = milliseconds(number)
        else {
            throw .badRequest("Request-Timeout must be a number of seconds above 0, such as 2.5")
        }
        return .milliseconds(min(asked, limit ?? asked))
    }

    /// Parses seconds with at most three decimals (RFC 9651 §3.3.2), and returns milliseconds.
    static func milliseconds(_ text: ByteSpan) -> Int? {
        let point = text.firstIndex(of: 0x2E) ?? text.count
        let fraction = point < text.count ? text.slice(point + 1, text.count) : nil
        guard (1...12).contains(point), fraction.map({ (1...3).contains($0.count) }) ?? true else {
            return nil
        }
        var value = 0
        for byte in text.slice(0, point) {
            guard ByteClass.isDigit(byte) else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        for index in 0..<3 {
            var digit: UInt8 = 0x30
            if let fraction, index < fraction.count { digit = fraction[index] }
            guard ByteClass.isDigit(digit) else { return nil }
            value = value * 10 + Int(digit - 0x30)
        }
        return value > 0 ? value : nil
    }

    /// Adds the server's timeout to a reply.
    static func limit(_ reply: Reply, to seconds: Int?) -> Reply {
        guard let seconds, case .later(let work) = reply else { return reply }
        return .later { await hold(.seconds(seconds), work) }
    }

    /// Runs the work with a timeout.
    ///
    /// After the timeout it cancels the work and returns a 504 at once, even if the work ignores
    /// the cancellation. Work that never suspends needs no timer. The work's calls of other servers
    /// end at the same time (`CallDeadline`), and send it on as `Request-Timeout`.
    static func hold(_ duration: Duration, _ work: @escaping Reply.Work) async -> Response {
        let race = Race()
        let executor = withUnsafeCurrentTask { $0?.unownedTaskExecutor?.asTaskExecutor() }
        return await CallDeadline.within(duration) {
            await withTaskCancellationHandler {
                await withCheckedContinuation { race.begin($0, duration, on: executor, work) }
            } onCancel: {
                race.cancel()
            }
        }
    }

    fileprivate static func late(_ duration: Duration) -> Response {
        ProblemResponse.make(504, "the action took longer than \(duration)")
    }
}

/// A race between work and a timer; the first to finish makes the response.
private final class Race: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Response, Never>?
        var worker: Task<Void, Never>?
        var timer: Timer?
        var isCancelled = false
    }

    private enum Timer {
        case task(Task<Void, Never>)
        /// The entry of the clock.
        case entry(Int)

        func cancel() {
            switch self {
            case .task(let task): task.cancel()
            case .entry(let number): DeadlineClock.shared.remove(number)
            }
        }
    }

    /// The shortest timeout that the shared clock measures.
    private static let long = Duration.seconds(5)

    private let state = Locked(State())

    /// Starts the work on `executor`, the request's loop, without a thread hop.
    func begin(
        _ continuation: CheckedContinuation<Response, Never>,
        _ duration: Duration,
        on executor: (any TaskExecutor)?,
        _ work: @escaping Reply.Work
    ) {
        state.withLock { $0.continuation = continuation }
        // The worker inherits the task's values.
        let worker = Task.immediate(executorPreference: executor) { finish(await work()) }
        // Most work is done by now.
        let isDone = state.withLock { state in
            state.worker = worker
            return state.continuation == nil
        }
        guard !isDone else { return }
        let timer = timer(duration)
        let isOver = state.withLock { state in
            state.timer = timer
            return (state.isCancelled, state.continuation == nil)
        }
        if isOver.0 || isOver.1 { worker.cancel() }
        if isOver.1 { timer.cancel() }
    }

    private func timer(_ duration: Duration) -> Timer {
        guard duration < Self.long else {
            return .entry(
                DeadlineClock.shared.add(duration) { self.finish(Deadline.late(duration)) }
            )
        }
        return .task(
            Task {
                guard (try? await Task.sleep(for: duration)) != nil else { return }
                finish(Deadline.late(duration))
            }
        )
    }

    func cancel() {
        let worker = state.withLock { state in
            state.isCancelled = true
            return state.worker
        }
        worker?.cancel()
    }

    /// Returns the first response and cancels the other task.
    private func finish(_ response: Response) {
        let state = state.withLock { state in
            defer { state.continuation = nil }
            return state
        }
        state.continuation?.resume(returning: response)
        state.worker?.cancel()
        state.timer?.cancel()
    }
}
