import HTTPServer
import Locking

/// An endless stream that ends when its caller loses the permission.
///
/// The server checks a quiet stream at each heartbeat and a busy one each second. The body ends
/// regularly: a new request gets the error with its reason.
enum PermittedStream {
    /// The time between checks of a busy stream, in nanoseconds.
    private static let interval = 1_000_000_000

    static func make(
        _ stream: ResponseStream,
        now: @escaping @Sendable () -> Int = RequestSubject.now,
        while mayGoOn: @escaping @Sendable () -> Bool
    ) -> ResponseStream {
        let judged = Locked(now())
        return ResponseStream(heartbeat: stream.heartbeat, goesOn: mayGoOn) {
            // After a pause the caller is checked before the piece is sent.
            guard let piece = try await stream.next() else { return nil }
            let now = now()
            let isDue = judged.withLock { judged in
                guard now - judged >= interval else { return false }
                judged = now
                return true
            }
            return isDue && !mayGoOn() ? nil : piece
        }
    }

    /// Watches a reply's stream if it is endless.
    static func make(
        _ reply: Reply,
        while mayGoOn: @escaping @Sendable () -> Bool
    ) -> Reply {
        reply.map { response in
            guard case .stream(let stream) = response.body, stream.heartbeat != nil else {
                return response
            }
            var response = response
            response.body = .stream(make(stream, while: mayGoOn))
            return response
        }
    }
}
