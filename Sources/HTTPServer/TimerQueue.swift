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

/// The connections with a timer of one kind, in order of expiry.
///
/// All timers of a kind have the same timeout, so the order of arming is the order of expiry.
/// Arming and disarming take a few stores, regardless of the count, and only the first entry is
/// checked. The queue is a doubly linked list through the connections, which the loop's table owns.
struct TimerQueue {
    let milliseconds: Int
    private var head: Unmanaged<Connection>?
    private var tail: Unmanaged<Connection>?

    init(milliseconds: Int) {
        self.milliseconds = milliseconds
    }

    /// The connection whose timer expires first.
    var first: Connection? { head?.takeUnretainedValue() }

    /// The time of the first expiry in the loop's milliseconds; `Int.max` if the queue is empty.
    @inline(__always)
    var due: Int { head.map { $0._withUnsafeGuaranteedRef { $0.deadline } } ?? .max }

    mutating func append(_ connection: Connection) {
        let place = Unmanaged.passUnretained(connection)
        connection.timerPrevious = tail
        connection.timerNext = nil
        if let tail { tail._withUnsafeGuaranteedRef { $0.timerNext = place } } else { head = place }
        tail = place
    }

    mutating func remove(_ connection: Connection) {
        let (previous, next) = (connection.timerPrevious, connection.timerNext)
        if let previous {
            previous._withUnsafeGuaranteedRef { $0.timerNext = next }
        } else {
            head = next
        }
        if let next {
            next._withUnsafeGuaranteedRef { $0.timerPrevious = previous }
        } else {
            tail = previous
        }
    }
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
