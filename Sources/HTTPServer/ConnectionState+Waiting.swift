/// The interest of the poller, and the timer that runs meanwhile.
struct Wait: Equatable {
    var timer: TimerKind?
    var interest: EpollPoller.Interest
    /// The timer begins anew if it runs already.
    var isNew = false
}

extension ConnectionState {
    /// The wait of this connection; nil if the handshake decides it or nothing is left.
    ///
    /// Every state is covered, so that no way through the states can leave a connection that nothing
    /// wakes, or one that wakes the loop for nothing. `timer` is the one that runs.
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
        case .head:
            guard hasBegunHead() else { return Wait(timer: .idle, interest: .read) }
            return Wait(timer: Self.headTimer(isDraining()), interest: .read)
        case .collecting, .streaming: return Wait(timer: .body, interest: .read)
        case .full, .starting, .responding, .paused:
            if isHungUp { return waitForSilent(timer, allowsInterim()) }
            // A slow task's client is neither read from nor is its time counted.
            let heartbeat = sending == .endlessBody && reading != .full ? TimerKind.heartbeat : nil
            let isReading = reading == .starting || reading == .responding
            return Wait(timer: heartbeat, interest: isReading ? .read : .hangUp)
        case .lingering: return Wait(timer: timer, interest: .read)
        case .handshaking, .http2, .closed: return nil
        }
    }

    /// A client that has closed its side: either timer asks whether it is there.
    private func waitForSilent(_ timer: TimerKind?, _ allowsInterim: Bool) -> Wait {
        if timer == .hangUp || timer == .heartbeat { return Wait(timer: timer, interest: []) }
        let canProbe = sending == .nothing ? allowsInterim : sending == .endlessBody
        return Wait(timer: canProbe ? .heartbeat : .hangUp, interest: [])
    }

    /// The limit of a head that has begun: short when the server stops.
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

    /// Whether the bytes that TLS holds are of use now.
    @inline(__always)
    var takesInput: Bool {
        switch reading {
        case .head, .collecting, .streaming, .http2: !awaitsTurn
        default: false
        }
    }

    /// Whether something follows at once what is sent now: the connection's end.
    @inline(__always)
    var endsAfterOutput: Bool {
        ending != .persists && sending == .nothing && !isMakingResponse
    }
}

// MARK: HTTP/2

/// What an HTTP/2 session waits for.
enum SessionWait: Hashable {
    /// The socket: there is output.
    case room
    /// The same, and nothing more is read after an error.
    case roomAfterError
    /// The client, within a timer's time; `isNew` if a request came since it was armed.
    case client(TimerKind?, isNew: Bool)
    /// The client's window, after the client has closed its side.
    case window
    /// A response's task, after the client has closed its side.
    case task
    /// Nothing: the client has closed its side, and everything is sent.
    case nothing
}

extension ConnectionState {
    /// What a connection waits for with its session; nil if it is to be closed.
    func wait(for session: SessionWait, timer: TimerKind?) -> Wait? {
        switch session {
        // What is left goes out when there is room for it. Reading goes on: a large response delays no
        // other, and what the session stores meanwhile has a limit.
        case .room:
            Wait(timer: .write, interest: isHungUp ? .write : [.read, .write])
        case .roomAfterError: Wait(timer: .write, interest: .write)
        case .client(let kind, let isNew):
            Wait(timer: kind, interest: .read, isNew: isNew && kind == .idle)
        case .window: Wait(timer: .hangUp, interest: [])
        case .task:
            Wait(timer: timer == .heartbeat ? .heartbeat : .hangUp, interest: [])
        case .nothing: nil
        }
    }
}
