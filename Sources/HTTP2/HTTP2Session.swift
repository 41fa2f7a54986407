internal import CNghttp2
package import HTTPSyntax

/// What an HTTP/2 session tells whoever serves its requests.
///
/// `context` is what the server attached to the stream. A call comes while the session reads or
/// writes: answering within it is allowed, `receive` and `write` are not.
package protocol HTTP2Handler: AnyObject {
    /// A request's head is complete; nothing follows it if `isComplete`.
    ///
    /// The head at `place` is valid during the call, or as long as the server keeps what `keepHead` returns.
    func began(_ stream: Int32, _ place: UnsafePointer<RequestHead>, isComplete: Bool)
    /// A request that is refused for its head.
    func failed(_ stream: Int32, _ error: ProtocolError, isHead: Bool)
    /// Bytes of a request's body; who has used them up says so with `consume`.
    func received(_ context: UnsafeMutableRawPointer, _ bytes: ByteSpan)
    /// A request's body is complete.
    func ended(_ context: UnsafeMutableRawPointer)
    /// The answer is sent, and the request isn't complete: the stream stays open until it is, or
    /// until the server resets it.
    func answeredEarly(_ context: UnsafeMutableRawPointer)
    /// The stream is gone: answered, broken off by the client, or refused.
    func closed(_ context: UnsafeMutableRawPointer)
    /// The answer's head, which is asked for once, when it is sent.
    func head(_ context: UnsafeMutableRawPointer) -> HTTP2Session.ResponseHead?
    /// How much of the answer's body comes next, `limit` bytes at most; nil if it can't be told yet.
    func next(_ context: UnsafeMutableRawPointer, limit: Int) -> HTTP2Piece?
    /// Writes as many of the answer's bytes to `place`; false breaks the stream off.
    func write(
        _ context: UnsafeMutableRawPointer,
        _ count: Int,
        to place: UnsafeMutablePointer<UInt8>
    ) -> Bool
}

/// A piece of an answer's body, which becomes a DATA frame.
package struct HTTP2Piece {
    package let count: Int
    package let isLast: Bool

    package init(count: Int, isLast: Bool) {
        self.count = count
        self.isLast = isLast
    }
}

/// The server's side of an HTTP/2 connection (RFC 9113): bytes in, bytes out, no I/O and no clock.
///
/// Framing, HPACK, the streams' states and flow control are nghttp2's. Ours is what is beyond it:
/// the requests' targets and hosts, limits on heads, and budgets that end a flood with GOAWAY. It
/// belongs to one loop. `@exclusivity(unchecked)`: what is marked so is touched in short accesses
/// that call nobody back.
package final class HTTP2Session {
    let limits: HTTP2Limits
    /// Outlives all that nghttp2 has in it.
    let memory: HTTP2Memory?
    /// Whom the session tells; it has to live as long as the session is used.
    @exclusivity(unchecked) package unowned(unsafe) var handler: (any HTTP2Handler)?
    /// Set when the session is made, and never again.
    let raw: OpaquePointer

    /// The head that is being read, or was last.
    let head: HTTP2Head
    /// A head's fields are coming, and nothing else can (RFC 9113 §6.10).
    @exclusivity(unchecked) package internal(set) var isInHead = false
    @exclusivity(unchecked) var headStream: Int32 = 0
    /// The last stream that the client opened, and the numbers before it that it never did.
    @exclusivity(unchecked) var lastStream = -1
    @exclusivity(unchecked) var passedOver: [Range<Int>] = []
    /// Streams whose window the client has made larger than there can be, until they are told so.
    @exclusivity(unchecked) var overflowed: [Int32] = []
    /// The frames that waited to be sent before SETTINGS, or what of them came last, was read.
    @exclusivity(unchecked) var queued = 0
    @exclusivity(unchecked) var resets: HTTP2Budget
    @exclusivity(unchecked) var idleFrames: HTTP2Budget
    @exclusivity(unchecked) var now: Int
    /// Why the session ends, as soon as it does.
    @exclusivity(unchecked) package internal(set) var failure: HTTP2ErrorCode?
    /// nghttp2 has failed, for want of memory, and can't be asked for more.
    @exclusivity(unchecked) private var isBroken = false
    /// The place that `write` writes to, while it does, and where it stops.
    @exclusivity(unchecked) var output: UnsafeMutablePointer<OutputBuffer>?
    @exclusivity(unchecked) var outputLimit = 0
    /// What nghttp2 is sending is written already.
    @exclusivity(unchecked) var isWritten = false
    /// nghttp2's own encodes placeholders only, and nothing of that is sent.
    @exclusivity(unchecked) var encoder: HTTP2HeadEncoder
    /// The last stream that is served, once the last GOAWAY is to say so.
    @exclusivity(unchecked) private(set) var lastServed: Int32?
    /// The client was told that no more requests are taken soon; its answer to a PING is awaited.
    @exclusivity(unchecked) package internal(set) var isClosing = false

    /// Makes a session, its small objects in `memory` if that is given; nil if there is no memory.
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
        // nghttp2 gets the object's address below: there is none before it is made.
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

    /// Takes over a request of HTTP/1.1 as stream 1 (RFC 7540 §3.2); false if the settings aren't.
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
        let id = NGHTTP2_SETTINGS_HEADER_TABLE_SIZE
        encoder.bound(Int(nghttp2_session_get_remote_settings(raw, id)))
        // nghttp2 keeps it for a client only.
        return result == 0 && attach(context, to: 1)
    }

    // MARK: Bytes in, bytes out

    /// Reads what the client sent.
    ///
    /// `now` is in milliseconds and never steps back.
    package func receive(_ bytes: ByteSpan, now: Int) {
        self.now = now
        queued = outboundCount
        guard failure == nil else { return }
        let count = nghttp2_session_mem_recv(raw, bytes.baseAddress, bytes.count)
        guard count < 0, failure == nil else { return }
        switch CInt(count) {
        case NGHTTP2_ERR_BAD_CLIENT_MAGIC.rawValue: fail(.protocolError)
        case NGHTTP2_ERR_NOMEM.rawValue, NGHTTP2_ERR_CALLBACK_FAILURE.rawValue: fail(.internalError)
        default: fail(.enhanceYourCalm)  // too many of something
        }
    }

    /// Writes what is to be sent behind what is in `output`, until that holds `limit` bytes.
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

    /// The frames that wait to be sent, but for DATA.
    var outboundCount: Int { nghttp2_session_get_outbound_queue_size(raw) }

    /// More could be sent now.
    package var hasOutput: Bool { !isBroken && nghttp2_session_want_write(raw) != 0 }

    /// Nothing more is to be read or sent: the connection can be closed.
    package var isFinished: Bool {
        isBroken || nghttp2_session_want_read(raw) == 0 && nghttp2_session_want_write(raw) == 0
    }

    /// Asks for a sign of life (RFC 9113 §6.7).
    package func ping() {
        nghttp2_submit_ping(raw, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil)
    }

    // MARK: Ending

    /// Ends the session with GOAWAY; the streams are given up.
    package func fail(_ code: HTTP2ErrorCode) {
        guard failure == nil else { return }
        failure = code
        nghttp2_session_terminate_session(raw, code.rawValue)
    }

    /// Tells the client that the server stops: what it sends until it has read that is served (RFC
    /// 9113 §6.8).
    package func close() {
        guard !isClosing, lastServed == nil, failure == nil else { return }
        isClosing = true
        nghttp2_submit_shutdown_notice(raw)
        ping()
    }

    /// Takes no further requests; what is open completes.
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
