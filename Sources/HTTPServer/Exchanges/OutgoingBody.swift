/// The part of a connection or HTTP/2 stream that sends a streamed body.
protocol BodyWriter: AnyObject {
    /// Sends a piece; returns false if the next one has to wait for room.
    func send(_ piece: [UInt8]) -> Bool
    /// Sends the end of a complete body.
    func finishBody()
    /// Ends the response so that the client detects the missing rest.
    func breakBody()
    /// Cancels the task that makes the body, even if it waits for room.
    func cancelTask()
}

/// A response's body on its way from its task to the socket.
///
/// A client that doesn't read occupies one window of memory; then the task waits.
///
/// `@unchecked Sendable`: the task holds it, but only the loop's thread uses it.
final class OutgoingBody: @unchecked Sendable {
    /// The waiting bytes at which the task pauses.
    static let window = 64 * 1024

    /// Whether the body is chunked (RFC 9112 §7.1).
    ///
    /// Otherwise the connection's end marks the body's end.
    let isChunked: Bool
    let heartbeat: [UInt8]?
    private let goesOn: (@Sendable () -> Bool)?
    /// The writer; nil once the body is complete or its client is disconnected.
    var writer: (any BodyWriter)?
    /// The task while it waits for room; resumed with false when the client disconnects.
    private var waiting: UnsafeContinuation<Bool, Never>?

    init(_ stream: ResponseStream, isChunked: Bool, to writer: any BodyWriter) {
        self.isChunked = isChunked
        self.writer = writer
        heartbeat = stream.heartbeat
        goesOn = stream.goesOn
    }

    /// Sends a heartbeat, or ends a body that may not continue.
    func beat() {
        guard let writer, let heartbeat else { return }
        guard goesOn?() ?? true else {
            // The body ends now, even if its task notices the cancellation later.
            writer.cancelTask()
            return writer.finishBody()
        }
        _ = writer.send(heartbeat)
    }

    /// Waits for room.
    func wait(_ continuation: UnsafeContinuation<Bool, Never>) {
        waiting = continuation
    }

    /// Resumes the task if it waits.
    func resume(_ goesOn: Bool) {
        guard let waiting else { return }
        self.waiting = nil
        waiting.resume(returning: goesOn)
    }
}
