package import HTTPCodec

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
    case refuse(Response)
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

/// An answer.
package struct Response: Sendable {
    package enum Body: Sendable {
        /// No body, and no Content-Length either: for 204 and 304.
        case none
        case bytes([UInt8])
        case file(FileBody)
        /// Made while it is sent.
        case stream(ResponseStream)
    }

    package var status: UInt16
    /// The field lines as they are sent, each with its CR LF, without Date, Content-Length and
    /// Connection: those are the server's.
    package var fields: [UInt8]
    package var body: Body
    /// Closes the connection after this answer.
    package var closes = false
    /// The body's bytes are kept for good, so that an answer which isn't read costs nothing.
    package var isKept = false

    package init(status: UInt16, fields: [UInt8] = [], body: Body = .bytes([])) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// Renders field lines.
    ///
    /// Names and values are the server's own: a control character in a value would split the
    /// answer, so it is left out.
    package static func fieldLines(_ fields: [(name: String, value: String)]) -> [UInt8] {
        var bytes: [UInt8] = []
        for (name, value) in fields {
            bytes += name.utf8
            bytes += ": ".utf8
            bytes += value.utf8.filter(ByteClass.isFieldValue)
            bytes += "\r\n".utf8
        }
        return bytes
    }
}

/// A part of an open file, which is closed when the last reference goes.
package final class FileBody: Sendable {
    package let descriptor: FileDescriptor
    package let range: Range<Int>

    package init(descriptor: FileDescriptor, range: Range<Int>) {
        self.descriptor = descriptor
        self.range = range
    }
}
