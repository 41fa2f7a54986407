internal import CNghttp2

extension HTTP2Session {
    /// An answer's head: its status, the field lines as HTTP/1.1 has them, the server's own fields.
    package struct ResponseHead {
        package let status: UInt16
        /// `Date: …` and CR LF, in a place where they stay.
        package let date: ByteSpan
        /// Each line with its CR LF.
        package let fields: [UInt8]
        /// Content-Length, if there is one.
        package let length: Int?

        package init(status: UInt16, date: ByteSpan, fields: [UInt8], length: Int?) {
            self.status = status
            self.date = date
            self.fields = fields
            self.length = length
        }
    }

    /// Answers a request; the body, if there is one, is asked for in pieces, and `closed` follows.
    ///
    /// The result has to be kept until then.
    package func respond(
        _ stream: Int32,
        _ context: UnsafeMutableRawPointer,
        _ response: ResponseHead,
        hasBody: Bool
    ) -> AnyObject? {
        guard let block = block(for: response) else {
            response.fields.withUnsafeBufferPointer { lines in
                fields.removeAll()
                fields.append(status: response.status)
                fields.append(date: response.date)
                fields.append(lines: lines)
                if let length = response.length { fields.append(length: length) }
                submit(fields, stream, context, hasBody)
            }
            return nil
        }
        block.fields.removeAll()
        if let length = response.length { block.fields.append(length: length) }
        submit(block.fields, stream, context, hasBody)
        return block
    }

    /// The head of an answer that was given before, known by the place of its lines.
    private func block(for response: ResponseHead) -> HTTP2FieldBlock? {
        let (lines, count) = response.fields.withUnsafeBufferPointer { ($0.baseAddress, $0.count) }
        if let block, block.isOf(response.status, lines, count) { return block }
        defer { lastLines = lines }
        guard lines == lastLines, lines != nil else { return nil }
        block = HTTP2FieldBlock(
            status: response.status,
            date: response.date,
            lines: response.fields
        )
        return block
    }

    private func submit(
        _ fields: borrowing HTTP2Fields,
        _ stream: Int32,
        _ context: UnsafeMutableRawPointer,
        _ hasBody: Bool
    ) {
        var provider = nghttp2_data_provider()
        provider.source.ptr = context
        provider.read_callback = HTTP2Callbacks.read
        let result = fields.withEntries { entries, count in
            withUnsafePointer(to: provider) {
                nghttp2_submit_response(raw, stream, entries, count, hasBody ? $0 : nil)
            }
        }
        if result != 0 { reset(stream, .internalError) }
    }

    /// Asks for the body that is announced with `Expect: 100-continue` (RFC 9113 §8.1).
    package func sendContinue(_ stream: Int32) {
        fields.removeAll()
        fields.append(status: 100)
        let flags = UInt8(NGHTTP2_FLAG_NONE.rawValue)
        _ = fields.withEntries { entries, count in
            nghttp2_submit_headers(raw, flags, stream, nil, entries, count, nil)
        }
    }

    /// Asks for the answer's body again, which `next` couldn't tell.
    package func resume(_ stream: Int32) {
        nghttp2_session_resume_data(raw, stream)
    }

    /// Breaks a stream off.
    package func reset(_ stream: Int32, _ code: HTTP2ErrorCode) {
        nghttp2_submit_rst_stream(raw, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, code.rawValue)
    }

    // MARK: What nghttp2 asks for

    /// Tells nghttp2 the next DATA frame's length; its bytes are written by `writeData`.
    func nextData(
        _ context: UnsafeMutableRawPointer,
        _ limit: Int,
        _ flags: UnsafeMutablePointer<UInt32>
    ) -> Int {
        guard let piece = handler?.next(context, limit: limit) else {
            return Int(NGHTTP2_ERR_DEFERRED.rawValue)
        }
        flags.pointee |= NGHTTP2_DATA_FLAG_NO_COPY.rawValue
        if piece.isLast { flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
        return piece.count
    }

    /// Writes a DATA frame: its nine bytes of header, then the bytes where they are sent from.
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
        // For each such frame a client may send two WINDOW_UPDATE. Small ones don't count: who
        // opens the window byte by byte would live on them (CVE-2019-9511).
        if count >= Self.leastProgress { idleFrames.earn(2) }
        return 0
    }

    private static let frameHeader = 9
    private static let leastProgress = 256

    func frameSent(_ frame: UnsafePointer<nghttp2_frame>) {
        let header = frame.pointee.hd
        switch UInt32(header.type) {
        case NGHTTP2_HEADERS.rawValue, NGHTTP2_DATA.rawValue:
            guard UInt32(header.flags) & NGHTTP2_FLAG_END_STREAM.rawValue != 0 else { return }
            idleFrames.earn(2)
            if nghttp2_session_get_stream_remote_close(raw, header.stream_id) == 0,
                let context = context(header.stream_id)
            {
                handler?.answeredEarly(context)
            }
        case NGHTTP2_RST_STREAM.rawValue:
            if header.stream_id == headStream { isInHead = false }
            // A client may make the server break streams off as well as do it itself.
            let code = frame.pointee.rst_stream.error_code
            guard code != HTTP2ErrorCode.noError.rawValue else { return }
            if !resets.spend(now: now) { fail(.enhanceYourCalm) }
        default: break
        }
    }
}
