import HTTP2
import HTTPSyntax

/// A request of an HTTP/2 connection and its response; used again for a later one when it is done.
///
/// `@exclusivity(unchecked)`: see `EventLoop`.
final class HTTP2Stream {
    /// The response's body.
    enum Body {
        case none
        /// Those in `bytes`.
        case bytes
        case file(FileBody)
        case stream(OutgoingBody)
    }

    /// The connection owns the stream.
    unowned(unsafe) let connection: HTTP2Connection
    @exclusivity(unchecked) var id: Int32 = 0
    @exclusivity(unchecked) var state = HTTP2StreamState()
    @exclusivity(unchecked) var exchange = Exchange()
    /// When the client last moved this stream along, in the loop's milliseconds.
    @exclusivity(unchecked) var stamp = 0
    @exclusivity(unchecked) var task: Task<Void, Never>?

    // The request's body.
    @exclusivity(unchecked) var head: HTTP2Head?
    @exclusivity(unchecked) var admitted: (any AdmittedRequest)?
    @exclusivity(unchecked) var input = OwnedBytes()
    @exclusivity(unchecked) var upload: BodyStream? {
        didSet { state.isUploading = upload != nil }
    }
    @exclusivity(unchecked) var bodyLimit = 0
    @exclusivity(unchecked) var received = 0
    /// What its head and its body count against the loop's budget while it is collected.
    @exclusivity(unchecked) var collected = 0
    /// Body bytes that came since the stamp.
    @exclusivity(unchecked) var progress = 0
    /// Bytes that the task hasn't taken: the client may send no more for them.
    @exclusivity(unchecked) var held = 0

    /// The response's head, until it is sent.
    @exclusivity(unchecked) var answer: HTTP2Session.ResponseHead?

    // The response's body.
    @exclusivity(unchecked) var body = Body.none
    @exclusivity(unchecked) var bytes: [UInt8] = []
    /// The part of them that counts against the limits of unread responses.
    @exclusivity(unchecked) var unread = 0
    /// What was written since the stamp.
    @exclusivity(unchecked) var taken = 0
    @exclusivity(unchecked) var length = 0
    /// Bytes of the body that have their DATA frame, and those that are written.
    @exclusivity(unchecked) var framed = 0
    @exclusivity(unchecked) var written = 0
    /// Pieces of a body that is made while it is sent.
    @exclusivity(unchecked) var pieces = OwnedBytes()

    /// What the session gives back with this stream's events: the connection owns the stream.
    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// Calls `body` with the stream that `context` is of, which stays while it does.
    @inline(__always)
    static func with<Result>(
        _ context: UnsafeMutableRawPointer,
        _ body: (HTTP2Stream) -> Result
    ) -> Result {
        Unmanaged<HTTP2Stream>.fromOpaque(context)._withUnsafeGuaranteedRef(body)
    }

    static func from(_ context: UnsafeMutableRawPointer) -> HTTP2Stream {
        Unmanaged<HTTP2Stream>.fromOpaque(context).takeUnretainedValue()
    }

    init(of connection: HTTP2Connection) {
        self.connection = connection
    }

    /// Begins a request.
    func open(_ id: Int32, isHead: Bool, now: Int) {
        self.id = id
        exchange.isHead = isHead
        stamp = now
        state.phase = .responding
    }

    /// Gives up all it holds, and cancels what works for it.
    func close() {
        id = 0
        abandonUpload()
        if let task {
            self.task = nil
            task.cancel()
        }
        if case .stream(let sending) = body {
            sending.writer = nil
            sending.resume(false)
        }
        body = .none
        bytes = []
        if answer != nil { answer = nil }
        if !pieces.isEmpty { pieces.free() }
        (length, framed, written, held, received, progress) = (0, 0, 0, 0, 0, 0)
        (unread, taken, bodyLimit) = (0, 0, 0)
        state = HTTP2StreamState()
    }

    /// The request's body is of no more use, since it broke off or the response came before its end.
    func abandonUpload() {
        if head != nil { head = nil }
        if admitted != nil { admitted = nil }
        if !input.isEmpty { input.free() }
        guard let upload else { return }
        self.upload = nil
        upload.fail(CancellationError())
    }
}
