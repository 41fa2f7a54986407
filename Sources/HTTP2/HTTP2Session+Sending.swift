internal import CNghttp2
package import HTTPSyntax

extension HTTP2Session {
    /// A response's head: status, HTTP/1.1 field lines, and the server's own fields.
    package struct ResponseHead {
        package let status: UInt16
        /// `Date: …` and CR LF, in memory that stays valid.
        package let date: ByteSpan
        /// Each line with its CR LF.
        package let fields: ResponseFields
        /// The fields of all responses, which follow.
        package let defaultFields: ResponseFields
        /// The Content-Length; nil without one.
        package let length: Int?

        package init(
            status: UInt16,
            date: ByteSpan,
            fields: ResponseFields,
            defaultFields: ResponseFields = [:],
            length: Int?
        ) {
            self.status = status
            self.date = date
            self.fields = fields
            self.defaultFields = defaultFields
            self.length = length
        }

        /// The interim response 100 (RFC 9110 §15.2.1).
        static var proceed: Self {
            Self(status: 100, date: ByteSpan(start: nil, count: 0), fields: [:], length: nil)
        }
    }

    /// Begins the response to a request.
    ///
    /// The session calls the handler for the head when it is sent, then for the body in pieces,
    /// then `closed`.
    package func respond(
        _ stream: Int32,
        _ context: UnsafeMutableRawPointer,
        hasBody: Bool
    ) {
        var provider = nghttp2_data_provider()
        provider.source.ptr = context
        provider.read_callback = HTTP2Callbacks.read
        var placeholder = Self.placeholder(Self.final)
        let result = withUnsafePointer(to: provider) {
            nghttp2_submit_response(raw, stream, &placeholder, 1, hasBody ? $0 : nil)
        }
        if result != 0 { reset(stream, .internalError) }
    }

    /// Sends 100 for a body announced with `Expect: 100-continue` (RFC 9113 §8.1).
    package func sendContinue(_ stream: Int32) {
        var placeholder = Self.placeholder(Self.interim)
        let flags = UInt8(NGHTTP2_FLAG_NONE.rawValue)
        nghttp2_submit_headers(raw, flags, stream, nil, &placeholder, 1, nil)
    }

    private static let status: StaticString = ":status"
    private static let final: StaticString = "200"
    private static let interim: StaticString = "100"

    /// The head given to nghttp2: a status only.
    ///
    /// `headDue` writes the real head.
    private static func placeholder(_ value: StaticString) -> nghttp2_nv {
        let flags = NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue | NGHTTP2_NV_FLAG_NO_COPY_VALUE.rawValue
        return nghttp2_nv(
            name: UnsafeMutablePointer(mutating: status.utf8Start),
            value: UnsafeMutablePointer(mutating: value.utf8Start),
            namelen: status.utf8CodeUnitCount,
            valuelen: value.utf8CodeUnitCount,
            flags: UInt8(flags)
        )
    }

    /// Requests the response's body again, after `next` returned nil.
    package func resume(_ stream: Int32) {
        nghttp2_session_resume_data(raw, stream)
    }

    /// Whether a stream's window is open, regardless of the connection's (RFC 9113 §6.9.1).
    package func hasRoom(_ stream: Int32) -> Bool {
        nghttp2_session_get_stream_remote_window_size(raw, stream) > 0
    }

    /// Resets a stream.
    package func reset(_ stream: Int32, _ code: HTTP2ErrorCode) {
        nghttp2_submit_rst_stream(raw, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, code.rawValue)
    }

    // MARK: Callbacks of nghttp2

    /// Writes a head in place of the one that nghttp2 is about to send.
    func headDue(_ frame: UnsafePointer<nghttp2_frame>) -> CInt {
        let header = frame.pointee.hd
        guard UInt32(header.type) == NGHTTP2_HEADERS.rawValue else {
            if UInt32(header.type) == NGHTTP2_GOAWAY.rawValue,
                frame.pointee.goaway.error_code != HTTP2ErrorCode.noError.rawValue
            {
                noteError(frame.pointee.goaway)
                writeOverflows()
            }
            return 0
        }
        let isInterim = frame.pointee.headers.nva.pointee.value == Self.interim.utf8Start
        let head = isInterim ? .proceed : context(header.stream_id).flatMap { handler?.head($0) }
        guard let head, encoder.encode(head) else {
            return NGHTTP2_ERR_CALLBACK_FAILURE.rawValue
        }
        writeHead(header.stream_id, header.flags)
        isWritten = true
        return 0
    }

    private func noteError(_ frame: nghttp2_goaway) {
        let code = HTTP2ErrorCode(rawValue: frame.error_code)
        let reason = UnsafeBufferPointer(
            start: frame.opaque_data,
            count: frame.opaque_data_len
        )
        sentError = code.map { "\($0)" } ?? "\(frame.error_code)"
        if !reason.isEmpty { sentError? += ": " + String(decoding: reason, as: UTF8.self) }
    }

    /// Writes the last encoded block in as many frames as needed (RFC 9113 §4.3).
    private func writeHead(_ stream: Int32, _ flags: UInt8) {
        guard let output else { return }
        let endHeaders = UInt8(NGHTTP2_FLAG_END_HEADERS.rawValue)
        let count = encoder.block.count
        var start = 0
        repeat {
            let end = min(start + Self.minimumFrameLimit, count)
            let isFirst = start == 0
            let type = isFirst ? NGHTTP2_HEADERS : NGHTTP2_CONTINUATION
            let kept = isFirst ? flags & ~endHeaders : 0
            let place = output.pointee.reserve(Self.frameHeader + end - start)
            Self.write(
                to: place,
                length: end - start,
                type: UInt8(type.rawValue),
                flags: end == count ? kept | endHeaders : kept,
                stream
            )
            if let base = encoder.block.baseAddress {
                (place + Self.frameHeader).update(from: base + start, count: end - start)
            }
            output.pointee.commit(Self.frameHeader + end - start)
            start = end
        } while start < count
    }

    /// Writes RST_STREAM for overflowed windows (RFC 9113 §6.9.1) before a GOAWAY for another
    /// error.
    ///
    /// nghttp2 sends nothing after that GOAWAY.
    private func writeOverflows() {
        guard let output else { return }
        for stream in overflowed {
            let place = output.pointee.reserve(Self.frameHeader + 4)
            let type = UInt8(NGHTTP2_RST_STREAM.rawValue)
            Self.write(to: place, length: 4, type: type, flags: 0, stream)
            let code = HTTP2ErrorCode.flowControlError.rawValue.bigEndian
            UnsafeMutableRawPointer(place + Self.frameHeader).storeBytes(of: code, as: UInt32.self)
            output.pointee.commit(Self.frameHeader + 4)
        }
        overflowed = []
    }

    /// Writes a frame's header (RFC 9113 §4.1).
    private static func write(
        to place: UnsafeMutablePointer<UInt8>,
        length: Int,
        type: UInt8,
        flags: UInt8,
        _ stream: Int32
    ) {
        let start = UInt32(length) << 8 | UInt32(type)
        UnsafeMutableRawPointer(place).storeBytes(of: start.bigEndian, as: UInt32.self)
        place[4] = flags
        UnsafeMutableRawPointer(place + 5).storeBytes(of: stream.bigEndian, as: Int32.self)
    }

    /// The frame size that every client accepts (RFC 9113 §6.5.2).
    private static let minimumFrameLimit = 16_384

    /// Returns the next DATA frame's length to nghttp2.
    ///
    /// `writeData` writes its bytes.
    func nextData(
        _ context: UnsafeMutableRawPointer,
        _ limit: Int,
        _ flags: UnsafeMutablePointer<UInt32>
    ) -> Int {
        guard !awaitsPreface, let piece = handler?.next(context, limit: limit) else {
            return Int(NGHTTP2_ERR_DEFERRED.rawValue)
        }
        endsBelowLimit = piece.count < limit
        flags.pointee |= NGHTTP2_DATA_FLAG_NO_COPY.rawValue
        if piece.isLast { flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
        return piece.count
    }

    /// Writes a DATA frame: the nine-byte header, then the body bytes straight into the output.
    func writeData(
        _ header: UnsafePointer<UInt8>,
        _ count: Int,
        _ context: UnsafeMutableRawPointer
    ) -> CInt {
        guard let output else { return NGHTTP2_ERR_CALLBACK_FAILURE.rawValue }
        guard output.pointee.count < outputLimit else { return NGHTTP2_ERR_WOULDBLOCK.rawValue }
        let place = output.pointee.reserve(Self.frameHeader + count)
        let isWritten =
            count == 0 || handler?.write(context, count, to: place + Self.frameHeader) ?? false
        guard isWritten else {
            return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
        }
        place.update(from: header, count: Self.frameHeader)
        output.pointee.commit(Self.frameHeader + count)
        sent(count)
        return 0
    }

    private static let frameHeader = 9
    /// The body bytes of a DATA frame that a client may answer with another frame, such as a PING
    /// that measures the bandwidth.
    private static let minimumProgress = 256
    /// The octets that a WINDOW_UPDATE returns at least.
    ///
    /// Smaller updates also count as idle: a client could open its window octet by octet
    /// (CVE-2019-9511). A client that reads 64 octets at a time may send two updates for each read.
    static let minimumReturn = 32

    /// Lets the client return sent octets by WINDOW_UPDATE, to the stream and to the connection.
    ///
    /// A small frame permits both updates, unless the client's window made it small.
    private func sent(_ count: Int) {
        let octets = endsBelowLimit ? max(count, 2 * Self.minimumReturn) : count
        returnable = min(returnable + octets, Int(Int32.max))
        if count >= Self.minimumProgress { idleFrames.earn(1) }
    }

    func frameSent(_ frame: UnsafePointer<nghttp2_frame>) {
        let header = frame.pointee.hd
        switch UInt32(header.type) {
        case NGHTTP2_HEADERS.rawValue, NGHTTP2_DATA.rawValue:
            guard UInt32(header.flags) & NGHTTP2_FLAG_END_STREAM.rawValue != 0 else { return }
            idleFrames.earn(2)
            // A client that receives responses may cancel others, as a proxy does for its clients.
            resets.earn(1)
            if nghttp2_session_get_stream_remote_close(raw, header.stream_id) == 0,
                let context = context(header.stream_id)
            {
                handler?.answeredEarly(context)
            }
        case NGHTTP2_RST_STREAM.rawValue:
            if header.stream_id == headStream { isInHead = false }
            if !overflowed.isEmpty { overflowed.removeAll { $0 == header.stream_id } }
            // Resets that the server sends for client errors count like the client's own.
            let code = frame.pointee.rst_stream.error_code
            guard code != HTTP2ErrorCode.noError.rawValue else { return }
            if !resets.spend(now: now) { fail(.enhanceYourCalm) }
        default: break
        }
    }
}
