/// What a connection waits for, each with a timeout of its own.
enum TimerKind: Int, CaseIterable {
    case head, body, idle, write, linger
    /// A client that has closed its side, and is asked then whether it is still there.
    case hangUp
    /// A stream that shows from time to time that it is still there.
    case heartbeat
    /// The streams of an HTTP/2 connection, which are looked at from time to time.
    case streams
}

/// The connections that wait for one kind of thing, the longest-waiting first.
///
/// All of a kind have the same timeout, so that the order of arrival is the order of expiry:
/// arming and disarming are a few stores, however many wait, and only the first has to be
/// looked at. A doubly linked list through the connections, which the loop's table owns.
struct TimerQueue {
    let milliseconds: Int
    private var head: Unmanaged<Connection>?
    private var tail: Unmanaged<Connection>?

    init(milliseconds: Int) {
        self.milliseconds = milliseconds
    }

    /// The connection whose time is up first.
    var first: Connection? { head?.takeUnretainedValue() }

    /// When that is, in the loop's milliseconds; `Int.max` if nobody waits.
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
    /// How long a connection waits for something, in milliseconds.
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
