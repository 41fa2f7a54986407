import HTTPServer
import Locking

/// A stream without an end of its own, whose caller is looked at again while it is sent: whoever may
/// call no more gets no more.
///
/// A quiet one ends within a heartbeat, and a busy one within a second. It ends whole: who asks anew
/// is told why they mayn't.
enum WatchedStream {
    /// How long a verdict holds while there is much to send, in nanoseconds.
    private static let interval = 1_000_000_000

    static func make(
        _ stream: ResponseStream,
        now: @escaping @Sendable () -> Int = RequestSubject.now,
        while mayGoOn: @escaping @Sendable () -> Bool
    ) -> ResponseStream {
        let judged = Locked(now())
        return ResponseStream(heartbeat: stream.heartbeat, goesOn: mayGoOn) {
            // What has come after a while is judged before it is sent.
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

    /// The same of an answer's stream, where it has one without an end.
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
