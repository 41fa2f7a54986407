import HTTP2
import HTTPSyntax

/// A request of an HTTP/2 connection and its response.
///
/// Closed streams are reused.
///
/// `@exclusivity(unchecked)`: see `LoopResources`.
final class HTTP2Stream {
    /// The response's body.
    enum Body {
        case none
        /// The bytes in `bytes`.
        case bytes
        case file(FileBody)
        case stream(OutgoingBody)
    }

    /// The connection owns the stream.
    unowned(unsafe) let connection: HTTP2Connection
    @exclusivity(unchecked) var id: Int32 = 0
    @exclusivity(unchecked) var state = HTTP2StreamState()
    @exclusivity(unchecked) var exchange = Exchange()
    /// The time of the client's last progress, in the loop's milliseconds.
    @exclusivity(unchecked) var stamp = 0
    @exclusivity(unchecked) var task: Task<Void, Never>?

    /// The request's client.
    @exclusivity(unchecked) var client: IPAddress?

    // The request's body.
    @exclusivity(unchecked) var head: HTTP2Head?
    @exclusivity(unchecked) var admitted: (any AdmittedRequest)?
    @exclusivity(unchecked) var input = OwnedBytes()
    @exclusivity(unchecked) var upload: BodyStream? {
        didSet { state.isUploading = upload != nil }
    }
    @exclusivity(unchecked) var bodyLimit = 0
    @exclusivity(unchecked) var received = 0
    /// The bytes of head and body that count against the loop's limit while they are collected.
    @exclusivity(unchecked) var collected = 0
    /// Body bytes received since `stamp`.
    @exclusivity(unchecked) var progress = 0
    /// Bytes that the task hasn't consumed; the client's window excludes them.
    @exclusivity(unchecked) var held = 0

    /// The response's head, until it is sent.
    @exclusivity(unchecked) var answer: HTTP2Session.ResponseHead?

    // The response's body.
    @exclusivity(unchecked) var body = Body.none
    @exclusivity(unchecked) var bytes: [UInt8] = []
    /// The part of `bytes` that counts against the limits of stored responses.
    @exclusivity(unchecked) var unread = 0
    /// Response bytes sent since `stamp`.
    @exclusivity(unchecked) var taken = 0
    @exclusivity(unchecked) var length = 0
    /// The number of body bytes in DATA frames so far, and of those written.
    @exclusivity(unchecked) var framed = 0
    @exclusivity(unchecked) var written = 0
    /// The waiting pieces of a streamed body.
    @exclusivity(unchecked) var pieces = OwnedBytes()

    /// The pointer that the session returns with this stream's events.
    ///
    /// The connection owns the stream.
    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// Calls `body` with the stream of `context`, which stays alive during the call.
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
        exchange = Exchange(isHead: isHead)
        stamp = now
        state.phase = .responding
    }

    /// Releases everything that the stream holds, and cancels its task.
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

    /// Ends the request's body early: it broke off, or the response was sent before the body's end.
    func abandonUpload() {
        if head != nil { head = nil }
        if admitted != nil { admitted = nil }
        if !input.isEmpty { input.free() }
        guard let upload else { return }
        self.upload = nil
        upload.fail(CancellationError())
    }
}
