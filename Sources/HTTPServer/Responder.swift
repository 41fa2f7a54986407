package import HTTPSyntax

/// The part of a server that turns a loop's requests into responses.
///
/// Each loop has a responder of its own and calls it on its own thread, so that a responder may keep
/// caches without a lock.
package protocol Responder: AnyObject {
    /// The largest body that any request may have, in bytes.
    var bodyLimit: Int { get }

    /// Decides by the head alone how the body that is still to come is read.
    ///
    /// A body of at most `bodyLimit` bytes that came with its head goes straight to `respond`.
    func admit(_ request: borrowing IncomingRequest) -> Admission

    /// Responds to a request whose body is complete; `body` is valid during the call only.
    func respond(_ request: borrowing IncomingRequest, body: ByteSpan) -> Reply

    /// Responds to a request whose body was admitted as a stream.
    func respond(_ request: borrowing IncomingRequest, stream: BodyStream) -> Reply

    /// Receives the loop's counters, once, before the loop begins.
    func attach(_ counters: LoopCounters)

    /// Notes a request that the engine rejects, since it breaks the protocol or one of its limits.
    func rejected(_ error: ProtocolError, from peer: Peer)
}

extension Responder {
    package func attach(_ counters: LoopCounters) {}

    package func rejected(_ error: ProtocolError, from peer: Peer) {}
}

/// How a request's body is read.
package enum Admission {
    /// Collects it, up to so many bytes; more is 413.
    case collect(upTo: Int, (any AdmittedRequest)?)
    /// Hands it to the response's task as it comes, up to so many bytes; more breaks it off.
    case stream(upTo: Int, (any AdmittedRequest)?)
    /// Responds without reading it.
    case reject(Reply)
}
