package import HTTPSyntax

/// What answers a loop's requests.
///
/// Each loop has one of its own and calls it on its own thread, so that it may keep state without a
/// lock.
package protocol Responder: AnyObject {
    /// The largest body that any request may have, in bytes.
    var bodyLimit: Int { get }

    /// Decides, with the head alone, what becomes of a body that is still to come. One that came
    /// with its head, and isn't larger than `bodyLimit`, goes straight to `respond`.
    func admit(_ head: RequestHead) -> Admission

    /// Answers a request. `head` and `body` are valid during the call only.
    func respond(_ head: RequestHead, body: ByteSpan) -> Reply

    /// Answers a request whose body was admitted as a stream, with a task that takes it.
    func respond(_ head: RequestHead, stream: BodyStream) -> Reply

    /// Called once, before the loop begins, with the loop, which lives longer than this.
    func attach(_ loop: any ServingLoop)

    /// Called when a request is refused that broke the protocol or a bound of it.
    func refused(_ error: ProtocolError)
}

extension Responder {
    package func attach(_ loop: any ServingLoop) {}

    package func refused(_ error: ProtocolError) {}
}

/// What a responder may ask the loop whose requests it answers, on the loop's thread.
package protocol ServingLoop: AnyObject {
    /// What the loop counts.
    var counters: LoopCounters { get }
    /// The certificate of the client whose request is being answered; nil if it has shown none.
    var clientCertificate: ClientCertificate? { get }
}

/// What becomes of a request's body.
package enum Admission {
    /// It is collected up to this many bytes; more is 413.
    case collect(upTo: Int)
    /// It goes to the answer's task as it comes, up to this many bytes; more breaks it off.
    case stream(upTo: Int)
    /// The request is answered without it.
    case refuse(Reply)
}

/// A request's answer: at hand, or promised.
package enum Reply {
    /// What is ready is sent in the tick that read the request.
    case now(Response)
    /// Runs as a task on the loop that read the request; no thread is hopped. The task is
    /// cancelled when the client goes away.
    case later(Work)

    /// `nonisolated(nonsending)`: it begins where it is called from, without asking the task for
    /// its executor, which takes a lock.
    package typealias Work = nonisolated(nonsending) @Sendable () async -> Response
}
