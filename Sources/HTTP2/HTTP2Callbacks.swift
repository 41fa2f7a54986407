internal import CNghttp2
import HTTPSyntax

/// The nghttp2 options and callbacks shared by all sessions.
///
/// `@unchecked Sendable`: both are only read after initialization, when a session is created.
final class HTTP2Callbacks: @unchecked Sendable {
    static let shared = HTTP2Callbacks()

    let callbacks: OpaquePointer?
    let options: OpaquePointer?

    private init() {
        var callbacks: OpaquePointer?
        nghttp2_session_callbacks_new(&callbacks)
        self.callbacks = callbacks
        var options: OpaquePointer?
        nghttp2_option_new(&options)
        self.options = options
        // The server itself enlarges the windows as it consumes bytes. nghttp2 remembers closed
        // streams, so that it can distinguish late frames from invalid ones (RFC 9113 §5.1).
        nghttp2_option_set_no_auto_window_update(options, 1)
        // nghttp2's own HPACK output isn't sent.
        nghttp2_option_set_max_deflate_dynamic_table_size(options, 0)
        // nghttp2 counts each read that ends within a CONTINUATION's first nine bytes as one.
        nghttp2_option_set_max_continuations(options, 100)
        // Reports frames of unknown types too, so that the budget counts them (RFC 9113 §5.5).
        for type in UInt8(NGHTTP2_CONTINUATION.rawValue + 1)...UInt8.max {
            nghttp2_option_set_user_recv_extension_type(options, type)
        }
        nghttp2_session_callbacks_set_unpack_extension_callback(callbacks) { _, payload, _, _ in
            payload?.pointee = nil
            return 0
        }
        Self.setReceiving(callbacks)
        Self.setSending(callbacks)
    }

    private static func setReceiving(_ callbacks: OpaquePointer?) {
        nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks) { _, header, user in
            guard let header else { return 0 }
            return HTTP2Session.with(user) { $0.frameBegan(header) } ?? 0
        }
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, user in
            guard let frame else { return 0 }
            HTTP2Session.with(user) { $0.beginHead(frame.pointee.hd.stream_id) }
            return 0
        }
        nghttp2_session_callbacks_set_on_header_callback2(callbacks, field)
        // nghttp2 would skip such a field. It makes the request malformed (RFC 9113 §8.2.1).
        nghttp2_session_callbacks_set_on_invalid_header_callback2(callbacks) { _, _, _, _, _, _ in
            NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, user in
            guard let frame else { return 0 }
            return HTTP2Session.with(user) { $0.frameReceived(frame) } ?? 0
        }
        nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks) {
            _,
            frame,
            error,
            user in
            guard let frame else { return 0 }
            return HTTP2Session.with(user) { $0.frameRefused(frame, error) } ?? 0
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, data)
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, stream, _, user in
            HTTP2Session.with(user) { $0.streamClosed(stream) }
            return 0
        }
    }

    private static func setSending(_ callbacks: OpaquePointer?) {
        nghttp2_session_callbacks_set_before_frame_send_callback(callbacks) { _, frame, user in
            guard let frame else { return 0 }
            return HTTP2Session.with(user) { $0.headDue(frame) } ?? 0
        }
        nghttp2_session_callbacks_set_on_frame_send_callback(callbacks) { _, frame, user in
            guard let frame else { return 0 }
            HTTP2Session.with(user) { $0.frameSent(frame) }
            return 0
        }
        nghttp2_session_callbacks_set_send_data_callback(callbacks, sendData)
    }

    private static let field: nghttp2_on_header_callback2 = { _, _, name, value, _, user in
        HTTP2Session.with(user) { $0.addField(name, value) } ?? 0
    }

    private static let data: nghttp2_on_data_chunk_recv_callback = { _, _, id, data, count, user in
        let bytes = ByteSpan(start: data, count: count)
        HTTP2Session.with(user) { $0.dataReceived(id, bytes) }
        return 0
    }

    private static let sendData: nghttp2_send_data_callback = { _, _, head, count, source, user in
        guard let head, let context = source?.pointee.ptr else {
            return NGHTTP2_ERR_CALLBACK_FAILURE.rawValue
        }
        return HTTP2Session.with(user) { $0.writeData(head, count, context) } ?? 0
    }

    static let read: nghttp2_data_source_read_callback = { _, _, _, limit, flags, source, user in
        guard let flags, let context = source?.pointee.ptr else {
            return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue)
        }
        return HTTP2Session.with(user) { $0.nextData(context, limit, flags) } ?? 0
    }
}
