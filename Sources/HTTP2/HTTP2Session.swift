internal import CNghttp2
package import HTTPSyntax

/// The callbacks of an HTTP/2 session to the server.
///
/// `context` is the object that the server attached to the stream. The session calls while it reads
/// or writes. A callback may respond, but must not call `receive` or `write`.
package protocol HTTP2Handler: AnyObject {
    /// Receives a complete head; no body follows if `isComplete`.
    ///
    /// The head at `place` is valid during the call. `keepHead` extends its lifetime.
    func began(_ stream: Int32, _ place: UnsafePointer<RequestHead>, isComplete: Bool)
    /// Receives a request with an invalid head.
    func failed(_ stream: Int32, _ error: ProtocolError, isHead: Bool)
    /// Receives bytes of a request's body; the server calls `consume` when it has used them.
    func received(_ context: UnsafeMutableRawPointer, _ bytes: ByteSpan)
    /// Reports that a request's body is complete.
    func ended(_ context: UnsafeMutableRawPointer)
    /// Reports that the response is sent before the request is complete.
    ///
    /// The stream stays open until the request ends or the server resets it.
    func answeredEarly(_ context: UnsafeMutableRawPointer)
    /// Reports that the stream is closed: completed, reset, or rejected.
    func closed(_ context: UnsafeMutableRawPointer)
    /// Returns the response's head; called once, when it is sent.
    func head(_ context: UnsafeMutableRawPointer) -> HTTP2Session.ResponseHead?
    /// Returns the length of the body's next piece, at most `limit`; nil if it isn't known yet.
    func next(_ context: UnsafeMutableRawPointer, limit: Int) -> HTTP2Piece?
    /// Writes `count` body bytes to `place`; returning false resets the stream.
    func write(
        _ context: UnsafeMutableRawPointer,
        _ count: Int,
        to place: UnsafeMutablePointer<UInt8>
    ) -> Bool
}

/// A piece of a response's body, sent as a DATA frame.
package struct HTTP2Piece {
    package let count: Int
    package let isLast: Bool

    package init(count: Int, isLast: Bool) {
        self.count = count
        self.isLast = isLast
    }
}

/// The server's side of an HTTP/2 connection (RFC 9113): bytes in, bytes out, without I/O or clock.
///
/// nghttp2 handles framing, HPACK, stream states and flow control. This type adds the checks of
/// targets and hosts, limits of heads, and budgets that end a flood with GOAWAY. It belongs to one
/// loop.
///
/// `@exclusivity(unchecked)`: each request accesses these properties, shortly and without callbacks.
package final class HTTP2Session {
    let limits: HTTP2Limits
    /// The memory pool, which outlives nghttp2's blocks in it.
    let memory: HTTP2Memory?
    /// The receiver of callbacks, which has to outlive the session's use.
    @exclusivity(unchecked) package unowned(unsafe) var handler: (any HTTP2Handler)?
    /// The nghttp2 session, set once.
    let raw: OpaquePointer

    /// The current or last head.
    let head: HTTP2Head
    /// A head is being received; no other frame may interrupt it (RFC 9113 §6.10).
    @exclusivity(unchecked) package internal(set) var isInHead = false
    @exclusivity(unchecked) var headStream: Int32 = 0
    /// The last stream that the client opened, and the numbers that it skipped.
    @exclusivity(unchecked) var lastStream = -1
    var passedOver: [Range<Int>] = []
    /// Streams whose window the client has overflowed, until RST_STREAM is sent.
    var overflowed: [Int32] = []
    /// The number of queued frames before the last read or SETTINGS frame.
    @exclusivity(unchecked) var queued = 0
    var resets: HTTP2Budget
    @exclusivity(unchecked) var idleFrames: HTTP2Budget
    /// The sent octets that the client may still return by WINDOW_UPDATE.
    @exclusivity(unchecked) var returnable = 0
    /// The body ended the last DATA frame, not the client's window.
    @exclusivity(unchecked) var endsBelowLimit = false
    /// The client has upgraded and not yet sent its preface; no DATA is sent until then.
    @exclusivity(unchecked) var awaitsPreface = false
    @exclusivity(unchecked) var now: Int
    /// The error that ended the session; nil without one.
    @exclusivity(unchecked) package internal(set) var failure: HTTP2ErrorCode?
    /// The code and the reason of the GOAWAY that the session sent; nil if it sent none.
    @exclusivity(unchecked) package internal(set) var sentError: String?
    /// nghttp2 has failed for lack of memory and can't be used further.
    @exclusivity(unchecked) private var isBroken = false
    /// The buffer and limit of the current `write`.
    @exclusivity(unchecked) var output: UnsafeMutablePointer<OutputBuffer>?
    @exclusivity(unchecked) var outputLimit = 0
    /// The frame that nghttp2 is sending has already been written.
    @exclusivity(unchecked) var isWritten = false
    /// The encoder of real heads.
    ///
    /// nghttp2's own encodes only placeholders, which aren't sent.
    @exclusivity(unchecked) var encoder: HTTP2HeadEncoder
    /// The last stream to serve; set when the final GOAWAY is queued.
    @exclusivity(unchecked) private(set) var lastServed: Int32?
    /// The client was sent a first GOAWAY.
    ///
    /// Its PING acknowledgement triggers the final one.
    package internal(set) var isClosing = false

    /// Creates a session with its small objects in `memory`; nil if there is no memory.
    package init?(limits: HTTP2Limits, memory: HTTP2Memory? = nil, now: Int) {
        guard let encoder = HTTP2HeadEncoder() else { return nil }
        self.encoder = encoder
        self.limits = limits
        self.now = now
        self.memory = memory
        head = HTTP2Head(limits: limits.head, memory)
        resets = limits.resets
        idleFrames = limits.idleFrames
        resets.start(now: now)
        idleFrames.start(now: now)
        var session: OpaquePointer?
        // The callbacks need `self`, which exists only after all properties are set.
        let shared = HTTP2Callbacks.shared
        let made =
            if let memory {
                memory.withCallbacks {
                    nghttp2_session_server_new3(
                        &session,
                        shared.callbacks,
                        nil,
                        shared.options,
                        $0
                    )
                }
            } else {
                nghttp2_session_server_new2(&session, shared.callbacks, nil, shared.options)
            }
        guard made == 0, let session else { return nil }
        raw = session
        nghttp2_session_set_user_data(raw, Unmanaged.passUnretained(self).toOpaque())
        guard submitSettings() else { return nil }
    }

    deinit { nghttp2_session_del(raw) }

    private func submitSettings() -> Bool {
        var settings = [
            nghttp2_settings_entry(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, limits.streams),
            nghttp2_settings_entry(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, limits.streamWindow),
            nghttp2_settings_entry(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, limits.head.head),
        ]
        let flags = UInt8(NGHTTP2_FLAG_NONE.rawValue)
        guard nghttp2_submit_settings(raw, flags, &settings, settings.count) == 0 else {
            return false
        }
        let window = Int32(clamping: limits.connectionWindow)
        return nghttp2_session_set_local_window_size(raw, flags, 0, window) == 0
    }

    /// Continues an HTTP/1.1 request as stream 1 (RFC 7540 §3.2); returns false if the settings are
    /// invalid.
    ///
    /// DATA waits for the client's preface. curl 7.88 stores the bytes that follow the 101 in 32
    /// KiB and fails if there are more.
    package func upgrade(
        settings: ByteSpan,
        isHead: Bool,
        _ context: UnsafeMutableRawPointer
    ) -> Bool {
        guard let payload = Base64URL.decode(settings) else { return false }
        queued = outboundCount
        let result = payload.withUnsafeBufferPointer {
            nghttp2_session_upgrade2(raw, $0.baseAddress, $0.count, isHead ? 1 : 0, context)
        }
        opened(1)
        awaitsPreface = true
        let id = NGHTTP2_SETTINGS_HEADER_TABLE_SIZE
        encoder.bound(Int(nghttp2_session_get_remote_settings(raw, id)))
        // nghttp2 stores the context for a client only.
        return result == 0 && attach(context, to: 1)
    }

    // MARK: Bytes in, bytes out

    /// Reads the client's bytes.
    ///
    /// `now` is in monotonic milliseconds.
    package func receive(_ bytes: ByteSpan, now: Int) {
        self.now = now
        queued = outboundCount
        guard failure == nil else { return }
        let count = nghttp2_session_mem_recv(raw, bytes.baseAddress, bytes.count)
        guard count < 0, failure == nil else { return }
        switch CInt(count) {
        case NGHTTP2_ERR_BAD_CLIENT_MAGIC.rawValue: fail(.protocolError)
        case NGHTTP2_ERR_NOMEM.rawValue, NGHTTP2_ERR_CALLBACK_FAILURE.rawValue: fail(.internalError)
        default: fail(.enhanceYourCalm)  // the limit of some kind of frame
        }
    }

    /// Appends frames to `output` until it has `limit` bytes.
    package func write(to output: inout OutputBuffer, limit: Int) {
        guard !isBroken else { return }
        outputLimit = limit
        withUnsafeMutablePointer(to: &output) { place in
            self.output = place
            while place.pointee.count < limit {
                var data: UnsafePointer<UInt8>?
                let count = nghttp2_session_mem_send(raw, &data)
                guard count > 0 else {
                    if count < 0 { isBroken = true }
                    break
                }
                if !isWritten { place.pointee.append(ByteSpan(start: data, count: count)) }
                isWritten = false
            }
            self.output = nil
        }
    }

    /// The number of queued frames other than DATA.
    var outboundCount: Int { nghttp2_session_get_outbound_queue_size(raw) }

    /// Whether the session could send more now.
    package var hasOutput: Bool { !isBroken && nghttp2_session_want_write(raw) != 0 }

    /// Whether nothing more is to be read or sent, so that the connection can be closed.
    package var isFinished: Bool {
        isBroken || nghttp2_session_want_read(raw) == 0 && nghttp2_session_want_write(raw) == 0
    }

    /// Sends a PING (RFC 9113 §6.7).
    package func ping() {
        nghttp2_submit_ping(raw, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil)
    }

    // MARK: Ending

    /// Ends the session with GOAWAY, which abandons its streams.
    package func fail(_ code: HTTP2ErrorCode) {
        guard failure == nil else { return }
        failure = code
        nghttp2_session_terminate_session(raw, code.rawValue)
    }

    /// Announces the end with a first GOAWAY.
    ///
    /// Requests sent before the client reads it are served (RFC 9113 §6.8).
    package func close() {
        guard !isClosing, lastServed == nil, failure == nil else { return }
        isClosing = true
        nghttp2_submit_shutdown_notice(raw)
        ping()
    }

    /// Rejects further requests; open ones complete.
    package func closeNow() {
        guard lastServed == nil, failure == nil else { return }
        let last = nghttp2_session_get_last_proc_stream_id(raw)
        lastServed = last
        let flags = UInt8(NGHTTP2_FLAG_NONE.rawValue)
        nghttp2_submit_goaway(raw, flags, last, HTTP2ErrorCode.noError.rawValue, nil, 0)
    }
}

extension nghttp2_settings_entry {
    fileprivate init(_ id: nghttp2_settings_id, _ value: Int) {
        self.init(settings_id: Int32(id.rawValue), value: UInt32(clamping: value))
    }
}
