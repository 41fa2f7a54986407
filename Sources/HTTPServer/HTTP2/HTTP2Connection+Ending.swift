import HTTP2
import HTTPSyntax
import Logging

/// The timeouts of a session and its streams, and the session's end.
extension HTTP2Connection {
    /// The timer for the client's next step; nil if the server has to act.
    var timer: TimerKind? {
        if session.isInHead { return .head }
        // After GOAWAY, requests that the client has already sent may still arrive.
        if open == 0 { return session.isClosing ? .linger : .idle }
        return streams.contains { $0.state.awaitsClient || $0.state.isEndless } ? .streams : nil
    }

    /// Returns the connection's wait; nil if the connection is to be closed.
    ///
    /// `running` is the running timer. `isHungUp` is true if the client has half-closed.
    func wait(timer running: TimerKind?, isHungUp: Bool) -> Wait? {
        defer { wasActive = false }
        return awaited(isHungUp: isHungUp).wait(timer: running, isHungUp: isHungUp)
    }

    private func awaited(isHungUp: Bool) -> SessionWait {
        if hasOutput { return hasFailed ? .roomAfterError : .room }
        guard isHungUp else { return .client(timer, isNew: wasActive) }
        guard isAnswering else { return .nothing }
        return awaitsRoom ? .window : .task
    }

    /// Whether a stream's or a head's timeout has expired, or a heartbeat is due.
    var isOverdue: Bool { isHeadOverdue || streams.contains { due($0) != nil } }

    private var isHeadOverdue: Bool {
        guard let headBegan else { return false }
        return loop.milliseconds - headBegan >= loop.configuration.headTimeout * 1000
    }

    private func due(_ stream: HTTP2Stream) -> HTTP2StreamState.Due? {
        stream.state.due(
            after: loop.milliseconds - stream.stamp,
            loop.configuration,
            hasRoom: session.hasOutput && session.hasRoom(stream.id)
        )
    }

    /// Resets the streams whose timeout has expired, and sends due heartbeats.
    func checkStreams() {
        for stream in streams {
            switch due(stream) {
            case .none: break
            case .reset: session.reset(stream.id, .noError)
            case .cancel: session.reset(stream.id, .cancel)
            case .rejectLate: reject(stream, ProtocolError(408, "the body didn't arrive in time"))
            case .sendHeartbeat: if case .stream(let body) = stream.body { body.beat() }
            }
        }
        if isHeadOverdue { fail(.enhanceYourCalm) }
    }

    /// Ends the session with GOAWAY and an error code.
    func fail(_ code: HTTP2ErrorCode) {
        session.fail(code)
    }

    /// Rejects new requests and lets the open ones complete.
    func drain() {
        session.close()
        // An endless body ends when the server drains.
        for stream in streams where stream.state.isEndless { stream.cancelTask() }
    }

    /// Ends the session at once, since no exchange is open.
    func endAtOnce() {
        closesAtOnce = true
        session.closeNow()
    }

    /// Resets the streams whose requests are incomplete, after the client has half-closed.
    func hangUp() {
        for stream in streams {
            switch stream.state.phase {
            case .collecting, .streaming: session.reset(stream.id, .cancel)
            case .free, .responding, .answering, .answered: continue
            }
        }
    }

    /// Pings a client that has half-closed; a disconnected one resets the connection.
    ///
    /// Cancels the responses that wait for the window, which such a client can't open.
    func probe() {
        for stream in streams where stream.state.awaitsRoom { session.reset(stream.id, .cancel) }
        checkStreams()
        session.ping()
    }

    /// Whether a response waits for the client's window, provided that nothing can be sent.
    var awaitsRoom: Bool { streams.contains { $0.state.awaitsRoom } }

    /// Whether a task makes a response or its body.
    var isAnswering: Bool { streams.contains { $0.task != nil } }

    /// Closes all streams, since the connection is closed.
    func end() {
        if let error = session.sentError {
            loop.logger.debug("HTTP/2: ended a connection: \(error)")
        }
        for stream in streams { close(stream) }
    }
}
