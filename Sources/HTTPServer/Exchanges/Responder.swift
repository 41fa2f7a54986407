package import HTTPSyntax

/// The part of a server that turns requests into responses.
///
/// Each loop has its own responder and calls it only on its own thread, so a responder may have
/// caches without locks.
package protocol Responder: AnyObject {
    /// The largest request body, in bytes.
    var bodyLimit: Int { get }

    /// Decides by the head how a body that hasn't arrived is read.
    ///
    /// A body of at most `bodyLimit` bytes that arrived with its head goes straight to `respond`.
    func admit(_ request: borrowing IncomingRequest) -> Admission

    /// Responds to a request with a complete body; `body` is valid during the call only.
    func respond(_ request: borrowing IncomingRequest, body: ByteSpan) -> Reply

    /// Responds to a request whose body was admitted as a stream.
    func respond(_ request: borrowing IncomingRequest, stream: BodyStream) -> Reply

    /// Receives the loop's counters once, before the loop begins.
    func attach(_ counters: LoopCounters)

    /// Reports a request that the server rejects because it violates the protocol or a limit.
    func rejected(_ error: ProtocolError, from peer: Peer)
}

/// How a request's body is read.
package enum Admission {
    /// Collect at most `upTo` bytes; more is rejected with 413.
    case collect(upTo: Int, (any AdmittedRequest)?)
    /// Pass at most `upTo` bytes to the response's task as they arrive; more is rejected with 413.
    case stream(upTo: Int, (any AdmittedRequest)?)
    /// Respond without reading the body.
    case reject(Reply)
}
