import JSONCodec
import HTTPSyntax
import HTTPServer
import HTTPTypes
import Locking
import PlugHTTP

/// The limits of endless streams, such as server-sent events: of one caller, and of all.
///
/// Each such stream holds a connection. Without a limit they would take all of them.
final class StreamLimiter: Sendable {
    private struct State {
        var all = 0
        var callers: [RateLimiter.Key: Int] = [:]
    }

    /// The largest number of open streams.
    let limit: Int
    private let limitPerCaller: Int
    private let state = Locked(State())

    init(limit: Int, perCaller: Int) {
        self.limit = limit
        limitPerCaller = perCaller
    }

    /// The error for an exceeded limit, with its response.
    struct Exceeded: Error { let response: Response }

    /// A stream's place, which is free again when nothing refers to it any more.
    final class Place: Sendable {
        private let limiter: StreamLimiter
        private let caller: RateLimiter.Key?

        fileprivate init(_ limiter: StreamLimiter, _ caller: RateLimiter.Key?) {
            self.limiter = limiter
            self.caller = caller
        }

        deinit { limiter.close(caller) }

        /// Holds the place as long as the reply's stream runs.
        func hold(_ reply: Reply) -> Reply {
            reply.map { response in
                guard case .stream(let stream) = response.body else { return response }
                var response = response
                response.body = .stream(
                    ResponseStream(heartbeat: stream.heartbeat, goesOn: stream.goesOn) {
                        // Refers to the place until the stream is released.
                        _ = self
                        return try await stream.next()
                    }
                )
                return response
            }
        }
    }

    /// Takes a place for a caller's stream; nil has no limit of its own.
    func open(for caller: RateLimiter.Key?) throws(Exceeded) -> Place {
        let status: HTTPResponse.Status? = state.withLock { state in
            guard state.all < limit else { return .serviceUnavailable }
            if let caller {
                guard state.callers[caller, default: 0] < limitPerCaller else {
                    return .tooManyRequests
                }
                state.callers[caller, default: 0] += 1
            }
            state.all += 1
            return nil
        }
        guard let status else { return Place(self, caller) }
        let detail =
            status == .tooManyRequests
            ? "the caller has \(limitPerCaller) open streams, the limit: close one"
            : "the server has \(limit) open streams, its limit: retry later"
        let problem = Problem(status: status, detail: detail)
        throw Exceeded(response: ProblemResponse.make(problem, fields: [("Retry-After", "10")]))
    }

    private func close(_ caller: RateLimiter.Key?) {
        state.withLock { state in
            state.all -= 1
            guard let caller, let count = state.callers[caller] else { return }
            state.callers[caller] = count > 1 ? count - 1 : nil
        }
    }

    /// The number of open streams.
    var count: Int { state.withLock { $0.all } }
}

extension Request {
    /// The key for limits of open streams; nil for unknown callers on this machine.
    ///
    /// All clients of a proxy on this machine have its address.
    var streamKey: RateLimiter.Key? {
        if let caller { return .caller(ExactName(text: caller.id)) }
        guard let address = peer.address, !address.isLoopback else { return nil }
        return .address(address.customer)
    }
}
