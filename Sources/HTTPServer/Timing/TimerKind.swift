/// The kinds of timers; each has its own timeout.
enum TimerKind: Int, CaseIterable {
    case head, body, idle, write, linger
    /// Delays the first probe of a client that has half-closed.
    case hangUp
    /// Sends heartbeats on an endless stream, or probes a client that has half-closed.
    case heartbeat
    /// Checks the timeouts of an HTTP/2 connection's streams.
    case streams
}

extension HTTPConfiguration {
    /// The timeout of a timer's kind, in milliseconds.
    func timeout(_ kind: TimerKind) -> Int {
        switch kind {
        case .head: headTimeout * 1000
        case .body: bodyTimeout * 1000
        case .idle: idleTimeout * 1000
        case .write: writeTimeout * 1000
        case .linger: lingerTimeout * 1000
        case .hangUp: hangUpDelay
        case .heartbeat: heartbeat * 1000
        case .streams: max(1000, min(bodyTimeout, writeTimeout, heartbeat) * 250)
        }
    }
}
