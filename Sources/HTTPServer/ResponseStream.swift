/// A body that is made while it is sent, piece by piece.
package struct ResponseStream: Sendable {
    /// Makes the next piece, as soon as the one before is on its way; nil after the last.
    ///
    /// It is called by a task on the loop, one call at a time. What it throws breaks the response
    /// off in a way that the client can see. The task is cancelled when the client goes away.
    package let next: @Sendable () async throws -> [UInt8]?
    /// Sent whenever nothing else was for `HTTPConfiguration.heartbeat` seconds.
    ///
    /// Such a stream has no end of its own: it ends when the server drains.
    package let heartbeat: [UInt8]?
    /// Whether it may go on, asked at each heartbeat; nil where it always may.
    package let goesOn: (@Sendable () -> Bool)?

    package init(
        heartbeat: [UInt8]? = nil,
        goesOn: (@Sendable () -> Bool)? = nil,
        next: @escaping @Sendable () async throws -> [UInt8]?
    ) {
        self.heartbeat = heartbeat
        self.goesOn = goesOn
        self.next = next
    }
}

/// The part of a connection or an HTTP/2 stream that sends a body while it is made.
protocol BodyWriter: AnyObject {
    /// Sends a piece; false if the next one has to wait for room.
    func send(_ piece: [UInt8]) -> Bool
    /// Sends the end of a complete body.
    func finishBody()
    /// Ends the response in a way by which the client can tell that the rest is missing.
    func breakBody()
    /// Cancels the task that makes the body, even if it waits for room.
    func cancelTask()
}

/// A response's body on its way from the task that makes it to the socket.
///
/// A client that doesn't read costs one window of it: then the task waits.
///
/// `@unchecked Sendable`: the task carries it, yet it is touched on the loop's thread alone.
final class OutgoingBody: @unchecked Sendable {
    /// Bytes that wait for the socket, beyond which the task waits, too.
    static let window = 64 * 1024

    /// Chunked (RFC 9112 §7.1); else the end of the connection is the body's end.
    let isChunked: Bool
    let heartbeat: [UInt8]?
    private let goesOn: (@Sendable () -> Bool)?
    /// The writer; nil once the body is complete, or has no client any more.
    var writer: (any BodyWriter)?
    /// The task, while it waits for room; resumed with false when the client is gone.
    private var waiting: UnsafeContinuation<Bool, Never>?

    init(_ stream: ResponseStream, isChunked: Bool, to writer: any BodyWriter) {
        self.isChunked = isChunked
        self.writer = writer
        heartbeat = stream.heartbeat
        goesOn = stream.goesOn
    }

    /// Shows the client that there is more to come, or ends a body that may not go on.
    func beat() {
        guard let writer, let heartbeat else { return }
        guard goesOn?() ?? true else {
            // It ends now, whenever its task notices that it was cancelled.
            writer.cancelTask()
            return writer.finishBody()
        }
        _ = writer.send(heartbeat)
    }

    /// Waits for room.
    func wait(_ continuation: UnsafeContinuation<Bool, Never>) {
        waiting = continuation
    }

    /// Lets the task go on, if it waits.
    func resume(_ goesOn: Bool) {
        guard let waiting else { return }
        self.waiting = nil
        waiting.resume(returning: goesOn)
    }
}
