internal import CNghttp2
import HTTPSyntax

extension HTTP2Session {
    /// Calls `body` with the session of a callback, which outlives the callback.
    @inline(__always)
    static func with<Result>(
        _ user: UnsafeMutableRawPointer?,
        _ body: (HTTP2Session) -> Result
    ) -> Result? {
        user.map { Unmanaged<HTTP2Session>.fromOpaque($0)._withUnsafeGuaranteedRef(body) }
    }

    /// Calls `body` with the current head, without a retain for each field.
    @inline(__always)
    private func withHead<Result>(_ body: (HTTP2Head) -> Result) -> Result {
        Unmanaged.passUnretained(head)._withUnsafeGuaranteedRef(body)
    }

    /// Stores the server's object for a stream; returns false if the stream is closed.
    package func attach(_ context: UnsafeMutableRawPointer, to stream: Int32) -> Bool {
        nghttp2_session_set_stream_user_data(raw, stream, context) == 0
    }

    /// The server's object of an open stream.
    package func context(_ stream: Int32) -> UnsafeMutableRawPointer? {
        nghttp2_session_get_stream_user_data(raw, stream)
    }

    /// Moves the last head to an object that stays valid as long as it is referenced.
    package func keepHead() -> HTTP2Head {
        HTTP2Head(moving: head)
    }

    /// Lets the client send `count` more bytes of a body (RFC 9113 §6.9).
    package func consume(_ count: Int, of stream: Int32) {
        nghttp2_session_consume_stream(raw, stream, count)
    }

    // MARK: Callbacks of nghttp2

    /// Records facts about a frame that the later callbacks don't report.
    func frameBegan(_ header: UnsafePointer<nghttp2_frame_hd>) -> CInt {
        switch UInt32(header.pointee.type) {
        case NGHTTP2_HEADERS.rawValue: return headBegan(Int(header.pointee.stream_id))
        case NGHTTP2_SETTINGS.rawValue:
            queued = outboundCount
            if awaitsPreface { prefaceArrived() }
        default: break
        }
        return 0
    }

    /// Handles a frame that nghttp2 rejects.
    ///
    /// nghttp2 has queued its response.
    ///
    /// Until the client has acknowledged the stream limit, nghttp2 rejects streams beyond it this
    /// way. A client may send more of them than it reads responses to.
    func frameRefused(_ frame: UnsafePointer<nghttp2_frame>, _ error: CInt) -> CInt {
        let header = frame.pointee.hd
        if UInt32(header.type) == NGHTTP2_WINDOW_UPDATE.rawValue, header.stream_id != 0,
            error == NGHTTP2_ERR_FLOW_CONTROL.rawValue, !overflowed.contains(header.stream_id)
        {
            overflowed.append(header.stream_id)
        }
        return outboundCount > limits.queue ? stop(.enhanceYourCalm) : 0
    }

    /// Rejects a stream number that the client has skipped: numbers must grow (RFC 9113 §5.1.1).
    ///
    /// nghttp2 would take it for a closed stream.
    private func headBegan(_ stream: Int) -> CInt {
        guard stream <= lastStream else {
            opened(stream)
            return 0
        }
        let isPassedOver = stream % 2 == 1 && passedOver.contains { $0.contains(stream) }
        return isPassedOver ? stop(.protocolError) : 0
    }

    func opened(_ stream: Int) {
        let next = lastStream + 2
        if stream > next {
            if passedOver.count == limits.gaps { passedOver.removeFirst() }
            passedOver.append(next..<stream)
        }
        lastStream = stream
    }

    func beginHead(_ stream: Int32) {
        withHead { $0.reset() }
        headStream = stream
        isInHead = true
    }

    func addField(_ name: OpaquePointer?, _ value: OpaquePointer?) -> CInt {
        let size = withHead { head in
            head.add(name, value)
            return head.size
        }
        guard size > limits.head.head * limits.abuseFactor else { return 0 }
        return stop(.enhanceYourCalm)
    }

    func frameReceived(_ frame: UnsafePointer<nghttp2_frame>) -> CInt {
        let header = frame.pointee.hd
        let flags = UInt32(header.flags)
        let ends = flags & NGHTTP2_FLAG_END_STREAM.rawValue != 0
        switch UInt32(header.type) {
        case NGHTTP2_HEADERS.rawValue:
            isInHead = false
            guard frame.pointee.headers.cat != NGHTTP2_HCAT_REQUEST else {
                headReceived(header.stream_id, isComplete: ends)
                return 0
            }
            // Trailers have the limits of a head. The server ignores them.
            if head.isTooLarge { reset(header.stream_id, .enhanceYourCalm) }
            bodyEnded(header.stream_id)
            head.reset()
        case NGHTTP2_DATA.rawValue:
            let isEmpty = header.length == frame.pointee.data.padlen
            if ends { bodyEnded(header.stream_id) } else if isEmpty { return idled() }
        case NGHTTP2_RST_STREAM.rawValue:
            guard resets.spend(now: now) else { return stop(.enhanceYourCalm) }
        case NGHTTP2_WINDOW_UPDATE.rawValue: return windowUpdated()
        case NGHTTP2_PING.rawValue where flags & NGHTTP2_FLAG_ACK.rawValue != 0:
            if isClosing { closeNow() }
            return idled()
        case NGHTTP2_SETTINGS.rawValue:
            // A window that these settings overflow ends the connection (RFC 9113 §6.9.2). nghttp2
            // only resets the stream, which queues a frame besides the acknowledgement.
            guard outboundCount - queued <= 1 else { return stop(.flowControlError) }
            boundTable(frame.pointee.settings)
            return idled()
        default: return idled()
        }
        return 0
    }

    /// Sets the table's size.
    ///
    /// Of several sizes nghttp2 reports the smallest before the last (RFC 7541 §4.2).
    private func boundTable(_ settings: nghttp2_settings) {
        for entry in UnsafeBufferPointer(start: settings.iv, count: settings.niv)
        where entry.settings_id == Int32(NGHTTP2_SETTINGS_HEADER_TABLE_SIZE.rawValue) {
            encoder.bound(Int(entry.value))
        }
    }

    private func headReceived(_ stream: Int32, isComplete: Bool) {
        // nghttp2 accepts requests until it sends the GOAWAY that is already queued (RFC 9113
        // §6.8).
        if let lastServed, stream > lastServed { return reset(stream, .refusedStream) }
        do {
            try head.finish(hasBody: !isComplete)
            handler?.began(stream, head.headPlace, isComplete: isComplete)
        } catch {
            handler?.failed(stream, error, isHead: head.method == .head)
        }
        withHead { $0.reset() }
    }

    private func bodyEnded(_ stream: Int32) {
        if let context = context(stream) { handler?.ended(context) }
    }

    /// Receives a piece of a body.
    ///
    /// The connection's window is restored at once, since each stream has its own.
    func dataReceived(_ stream: Int32, _ bytes: ByteSpan) {
        nghttp2_session_consume_connection(raw, bytes.count)
        if let context = context(stream) {
            handler?.received(context, bytes)
        } else {
            consume(bytes.count, of: stream)
        }
    }

    func streamClosed(_ stream: Int32) {
        if stream == headStream { isInHead = false }
        if let context = context(stream) { handler?.closed(context) }
    }

    /// Sends the DATA that waited: SETTINGS completes the preface (RFC 9113 §3.4).
    private func prefaceArrived() {
        awaitsPreface = false
        resume(1)
    }

    /// Counts a WINDOW_UPDATE as idle unless it returns sent octets.
    ///
    /// The receiver chooses the number of octets for each update (RFC 9113 §6.9).
    private func windowUpdated() -> CInt {
        guard returnable >= Self.minimumReturn else { return idled() }
        returnable -= Self.minimumReturn
        return 0
    }

    /// Counts an idle frame.
    private func idled() -> CInt {
        idleFrames.spend(now: now) ? 0 : stop(.enhanceYourCalm)
    }

    /// Ends the session within `receive`, which then stops reading.
    private func stop(_ code: HTTP2ErrorCode) -> CInt {
        fail(code)
        return NGHTTP2_ERR_CALLBACK_FAILURE.rawValue
    }
}
