/// The reasons for which an HTTP/2 session waits.
enum SessionWait: Hashable {
    /// Output waits for the socket.
    case room
    /// Output waits for the socket, and nothing more is read after an error.
    case roomAfterError
    /// The session waits for the client, with a timer; `isNew` if a request arrived since it was
    /// armed.
    case client(TimerKind?, isNew: Bool)
    /// A response waits for the client's window, after the client has half-closed.
    case window
    /// A response's task is running, after the client has half-closed.
    case task
    /// Everything is sent, after the client has half-closed.
    case nothing
}

extension SessionWait {
    /// Returns the connection's wait; nil if the connection is to be closed.
    ///
    /// `timer` is the running timer. `isHungUp` is true if the client has half-closed.
    func wait(timer: TimerKind?, isHungUp: Bool) -> Wait? {
        switch self {
        // The session keeps reading while output waits: a large response must not delay others. The
        // session's stored bytes have a limit.
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
