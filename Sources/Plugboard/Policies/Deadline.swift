import HTTPSyntax
import HTTPServer
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

    /// Runs the work with a timeout.
    ///
    /// After the timeout it cancels the work and returns a 504 at once, even if the work ignores
    /// the cancellation.
    static func hold(_ duration: Duration, _ work: @escaping Reply.Work) async -> Response {
        let race = Race()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { race.begin($0, duration, work) }
        } onCancel: {
            race.cancel()
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
        var timer: Task<Void, Never>?
        var isCancelled = false
    }

    private let state = Locked(State())

    func begin(
        _ continuation: CheckedContinuation<Response, Never>,
        _ duration: Duration,
        _ work: @escaping Reply.Work
    ) {
        state.withLock { $0.continuation = continuation }
        // The worker inherits the task's values. It runs off the loop, since it may outlive the
        // response.
        let worker = Task { finish(await work()) }
        let timer = Task {
            guard (try? await Task.sleep(for: duration)) != nil else { return }
            finish(Deadline.late(duration))
        }
        let isOver = state.withLock { state in
            state.worker = worker
            state.timer = timer
            return (state.isCancelled, state.continuation == nil)
        }
        if isOver.0 || isOver.1 { worker.cancel() }
        if isOver.1 { timer.cancel() }
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
