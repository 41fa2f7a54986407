/// The state of an HTTP/2 stream as a value, with its timeout rules.
struct HTTP2StreamState: Hashable {
    enum Phase: UInt8, CaseIterable {
        /// Not in use.
        case free
        /// The request's body is collected for a responder that receives it whole.
        case collecting
        /// The response's task receives the request's body piece by piece.
        case streaming
        /// A task makes the promised response.
        case responding
        /// The response has begun.
        case answering
        /// The response is sent, and the client is still sending its request.
        case answered
    }

    var phase = Phase.free
    /// A task is receiving the request's body.
    var isUploading = false
    /// The task is slower than the client, so the client's window stays closed.
    var isFull = false
    /// The response's body is complete.
    var isEnded = false
    /// The session waits until more of the body is made.
    var isDeferred = false
    /// The response's body has heartbeats and is endless.
    var isEndless = false

    /// Whether the client has to send more, or to receive more.
    var awaitsClient: Bool {
        switch phase {
        case .free, .responding: false
        case .collecting, .answered: true
        case .streaming: !isFull
        case .answering: !isDeferred || isStalled
        }
    }

    /// Whether a part of the response waits to be sent.
    var awaitsRoom: Bool { phase == .answering && !isDeferred }

    /// Whether a response made from the request's body waits for more of that body.
    private var isStalled: Bool { isDeferred && isUploading && !isFull }
}

extension HTTP2StreamState {
    /// The action after a time without progress.
    enum Due: Hashable {
        /// Respond with 408: the body took too long.
        case rejectLate
        /// Reset the stream without an error: the client need not send the rest of a request that
        /// already has its response (RFC 9113 §8.1).
        case reset
        /// Cancel the response.
        case cancel
        case sendHeartbeat
    }

    /// Returns the action that is due; nil if no timeout has expired.
    ///
    /// `idle` is the time in milliseconds since the client's last progress. `hasRoom` is true if
    /// the client's window has room, so that the response waits only for other streams.
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
