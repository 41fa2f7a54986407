/// The state of an HTTP/2 stream as a value, and the rules about its client's time.
struct HTTP2StreamState: Hashable {
    enum Phase: UInt8, CaseIterable {
        /// Not in use.
        case free
        /// The request's body is collected, for a responder that receives it whole.
        case collecting
        /// The response's task receives the request's body piece by piece.
        case streaming
        /// The responder promised a response.
        case responding
        /// The response has begun.
        case answering
        /// The response is sent, and the client continues its request.
        case answered
    }

    var phase = Phase.free
    /// A task receives the request's body, which isn't complete.
    var isUploading = false
    /// That task is slower than the client: the client may send no more for now.
    var isFull = false
    /// The response's body is complete.
    var isEnded = false
    /// The session knows that there is nothing to send yet.
    var isDeferred = false
    /// The response's body has heartbeats, and no end of its own.
    var isEndless = false

    /// Whether the client has to send, or to make room.
    var awaitsClient: Bool {
        switch phase {
        case .free, .responding: false
        case .collecting, .answered: true
        case .streaming: !isFull
        case .answering: !isDeferred || isStalled
        }
    }

    /// Whether there is more of the response than could be sent so far.
    var awaitsRoom: Bool { phase == .answering && !isDeferred }

    /// Whether a response that is made of the request's body waits for more of that.
    private var isStalled: Bool { isDeferred && isUploading && !isFull }
}

extension HTTP2StreamState {
    /// The act that is due after a time without progress.
    enum Due: Hashable {
        /// Respond that the body took too long (408).
        case rejectLate
        /// Reset the stream without an error: the client need not send the rest of a request that is
        /// answered (RFC 9113 §8.1).
        case reset
        /// Give up the response.
        case cancel
        case sendHeartbeat
    }

    /// The act that is due; nil if the client has time left.
    ///
    /// `idle` is the time in milliseconds since the client moved the stream along. `hasRoom` if the
    /// client's window has room, so that other streams are what the response waits for.
    func due(
        after idle: Int,
        _ limits: HTTPConfiguration,
        hasRoom: @autoclosure () -> Bool
    ) -> Due? {
        func isOver(_ seconds: Int) -> Bool { idle >= seconds * 1000 }
        switch phase {
        case .free, .responding: return nil
        case .answered: return isOver(limits.lingerTimeout) ? .reset : nil
        case .collecting, .streaming:
            return awaitsClient && isOver(limits.bodyTimeout) ? .rejectLate : nil
        case .answering where isStalled: return isOver(limits.bodyTimeout) ? .cancel : nil
        case .answering where isDeferred:
            return isEndless && isOver(limits.heartbeat) ? .sendHeartbeat : nil
        case .answering: return isOver(limits.writeTimeout) && !hasRoom() ? .cancel : nil
        }
    }
}
