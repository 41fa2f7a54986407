import HTTPSyntax

/// A client that sends nothing more while its answers are made.
///
/// It may have closed its side alone and wait for them, or be gone: its end looks the same. So an
/// answer that comes soon is sent, and behind that something which means nothing to a client that
/// waits. One that is gone answers it with a reset, and its tasks are cancelled.
extension Connection {
    /// The client has closed its side while its answer is being made, or its body not yet taken.
    func hangUp() {
        isHungUp = true
        arm(.hangUp)
        want([])
    }

    /// Whether there is something that means nothing: an interim answer, which HTTP/1.0 doesn't have
    /// (RFC 9110 §15.2), or the heartbeat of a stream that has begun.
    private var canProbe: Bool {
        guard let sending else { return exchange.minorVersion == 1 }
        return sending.heartbeat != nil
    }

    /// Brings the poller and the timer in line with what such a client waits for.
    func settleHungUp() {
        if timer != .hangUp, timer != .heartbeat { arm(canProbe ? .heartbeat : .hangUp) }
        want([])
    }

    /// Asks the client whether it is there; cancels its task if it can't be asked.
    ///
    /// 100 may be sent unasked, and is the one interim answer that every client knows (§15.2.1).
    func probe() {
        guard canProbe else {
            // A body that its task hasn't taken yet may be whole, and the client wait for its answer.
            if case .streaming = phase { return }
            return cancelTask()
        }
        guard sending == nil else { return beat() }
        loop.output.append("HTTP/1.1 100 Continue\r\n\r\n")
        loop.flush(self)
    }

    // MARK: HTTP/2

    /// The client sends nothing more: what it has asked for before is still answered.
    func hangUpHTTP2() {
        isHungUp = true
        http2?.hangUp()
        if isBlocked { settle() } else { writeHTTP2() }
    }

    /// Sends what there is to be sent, waits for answers, and closes then.
    func settleHungUp(_ http2: HTTP2Connection) {
        if http2.hasOutput {
            if timer != .write { armWrite() }
            return want(.write)
        }
        guard http2.isAnswering else { return close() }
        if timer != .hangUp, timer != .heartbeat || http2.awaitsRoom { arm(.hangUp) }
        want([])
    }

    /// Asks the client whether it is there.
    func probe(_ http2: HTTP2Connection) {
        http2.probe()
        if timer == nil { arm(.heartbeat) }
        writeHTTP2()
    }
}
