extension ConnectionState {
    /// Returns the connection's wait; nil if the handshake sets it or the connection is closed.
    ///
    /// The switch covers every state, so that no connection waits forever or wakes the loop
    /// needlessly. `timer` is the running timer.
    @inline(__always)
    func wait(
        timer: TimerKind?,
        isBlocked: Bool,
        hasBegunHead: @autoclosure () -> Bool,
        isDraining: @autoclosure () -> Bool,
        allowsInterim: @autoclosure () -> Bool
    ) -> Wait? {
        if isBlocked { return Wait(timer: .write, interest: .write) }
        switch reading {
        case .proxyHeader: return Wait(timer: Self.headTimer(isDraining()), interest: .read)
        case .head:
            let isWithin = isDraining() || hasBegunHead()
            return Wait(timer: isWithin ? Self.headTimer(isDraining()) : .idle, interest: .read)
        case .collecting, .streaming: return Wait(timer: .body, interest: .read)
        case .full, .starting, .responding, .paused:
            if isHungUp { return waitForSilent(timer, allowsInterim()) }
            // The server doesn't read while its task is slow, so the client's time isn't counted.
            let heartbeat = sending == .endlessBody && reading != .full ? TimerKind.heartbeat : nil
            let isReading = reading == .starting || reading == .responding
            return Wait(timer: heartbeat, interest: isReading ? .read : .hangUp)
        case .lingering: return Wait(timer: timer, interest: .read)
        case .handshaking, .http2, .closed: return nil
        }
    }

    /// The wait for a client that has half-closed; either timer probes it.
    private func waitForSilent(_ timer: TimerKind?, _ allowsInterim: Bool) -> Wait {
        if timer == .hangUp || timer == .heartbeat { return Wait(timer: timer, interest: []) }
        let canProbe = sending == .nothing ? allowsInterim : sending == .endlessBody
        return Wait(timer: canProbe ? .heartbeat : .hangUp, interest: [])
    }

    /// The timer of a partial head, and of a new connection's first one while the server drains:
    /// then it is short.
    static func headTimer(_ isDraining: Bool) -> TimerKind { isDraining ? .linger : .head }

    /// Whether the next request can be served.
    @inline(__always)
    func allowsRequest(isBlocked: Bool) -> Bool { reading == .head && !isBlocked }

    /// Whether bytes after the current request are stored until it is done.
    @inline(__always)
    var storesRest: Bool { reading == .head || isMakingResponse }

    /// Whether a task makes the response, and the whole request has been received.
    @inline(__always)
    var isMakingResponse: Bool {
        reading == .starting || reading == .responding || reading == .paused
    }

    /// Whether a task receives the request's body.
    @inline(__always)
    var isStreaming: Bool { reading == .streaming || reading == .full }

    /// Whether the connection can use the bytes that TLS has buffered.
    @inline(__always)
    var takesInput: Bool {
        switch reading {
        case .head, .collecting, .streaming, .http2: !awaitsTurn
        default: false
        }
    }

    /// Whether the connection's end follows the output at once.
    @inline(__always)
    var endsAfterOutput: Bool {
        ending != .persists && sending == .nothing && !isMakingResponse
    }
}
