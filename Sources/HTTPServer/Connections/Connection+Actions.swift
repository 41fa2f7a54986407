import HTTP2
import HTTPSyntax

/// Performs the actions that the connection's state returns.
extension Connection {
    /// Passes an event to the state and performs the resulting actions.
    @inline(__always)
    func handle(_ event: ConnectionState.Event) {
        let actions = on(event)
        if !actions.isEmpty { perform(actions) }
    }

    /// Passes an event to the state and returns the resulting actions.
    @inline(__always)
    func on(_ event: ConnectionState.Event) -> ConnectionState.Actions {
        state.on(event, isBlocked: isBlocked)
    }

    func perform(_ actions: ConnectionState.Actions) {
        if actions.contains(.noteUnread) { hasUnread = true }
        if actions.contains(.abandonBody) { abandonStream() }
        if actions.contains(.abandonAll) { abandonAll() }
        if actions.contains(.releaseTask) { task = nil }
        if actions.contains(.cancelTask) { cancelTask() }
        performTimers(actions)
        performReading(actions)
        if actions.contains(.rejectLateHead) { rejectLateHead() }
        if actions.contains(.rejectLateProxyHeader) { reject(.late) }
        if actions.contains(.rejectLateBody) {
            reject(ProtocolError(408, "the body didn't arrive in time"))
        }
        if actions.contains(.sendContinue) { sendContinue() }
        if actions.contains(.sendHeartbeat) { sending?.beat() }
        if actions.contains(.checkTaken) { checkTaken() }
        if !actions.isDisjoint(with: .ofSession) { performSession(actions) }
        if actions.contains(.send) { sendWaiting() }
        if actions.contains(.flush) { flush() }
        if actions.contains(.resume) { resume() }
        if actions.contains(.settle) { settle() }
        if actions.contains(.close) { close() }
    }

    private func performTimers(_ actions: ConnectionState.Actions) {
        if actions.contains(.disarm) { arm(nil) }
        if actions.contains(.armBody) { arm(.body) }
        if actions.contains(.armHangUp) { arm(.hangUp) }
        if actions.contains(.armLinger) { arm(.linger) }
        if actions.contains(.armWrite) { armWrite() }
    }

    private func performReading(_ actions: ConnectionState.Actions) {
        if actions.contains(.readProxyHeader) { readProxyHeader() }
        if actions.contains(.handshake) { handshake() }
        if actions.contains(.drainHandshake) { drainHandshake() }
        if actions.contains(.read) { read() }
        if actions.contains(.drop) { drop() }
        if actions.contains(.endIfIdle) { endIfIdle() }
        if actions.contains(.queueTurn) { queueTurn() }
    }

    private func performSession(_ actions: ConnectionState.Actions) {
        if actions.contains(.readBeforeCheck) { readBeforeCheck() }
        if actions.contains(.checkStreams) { http2?.checkStreams() }
        if actions.contains(.probeSession) { probeSession() }
        if actions.contains(.hangUpSession) { http2?.hangUp() }
        if actions.contains(.drainSession) {
            readable()
            http2?.drain()
        }
        if actions.contains(.failSession) { http2?.fail(.enhanceYourCalm) }
        if actions.contains(.endSession) { http2?.endAtOnce() }
        if actions.contains(.writeSession) { writeHTTP2() }
        if actions.contains(.writeRoom) { writeHTTP2(isWritable: true) }
    }
}

extension ConnectionState.Actions {
    fileprivate static let ofSession: Self = [
        .readBeforeCheck, .checkStreams, .probeSession, .hangUpSession, .drainSession, .failSession,
        .endSession, .writeSession, .writeRoom,
    ]
}
