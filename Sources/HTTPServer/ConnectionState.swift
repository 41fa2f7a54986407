/// The state of a client's connection as a value: an event changes it and returns the actions to take.
///
/// `Connection` performs the actions and reports what came of them as further events. The state knows
/// no socket and no buffer; the one fact that many events depend on, whether output waits for the
/// socket, is a parameter.
struct ConnectionState: Hashable {
    /// The use of the bytes that the client sends.
    enum Reading: UInt8, CaseIterable {
        /// TLS isn't established yet.
        case handshaking
        /// Between requests, or within a head that isn't complete.
        case head
        /// A body is collected, for a responder that receives it whole.
        case collecting
        /// The response's task receives a body piece by piece.
        case streaming
        /// The same, and the task is slower than the client: nothing is read.
        case full
        /// The response's task runs within the call that started it, until it first waits.
        case starting
        /// A task makes the response or its body.
        case responding
        /// The same, and the client has sent more, which stays in the kernel and so slows it down.
        case paused
        /// The HTTP/2 session receives everything.
        case http2
        /// The last response is sent. What the client still sends is dropped for a while: closing at
        /// once would reset the connection and might destroy the response (RFC 9112 §9.6).
        case lingering
        case closed
    }

    /// The part of a response that is still to be made.
    enum Sending: UInt8, CaseIterable {
        case nothing
        /// The rest of a body that is made while it is sent.
        case body
        /// The same, with heartbeats: the body has no end of its own.
        case endlessBody
    }

    /// The end of the connection after the output that waits.
    enum Ending: UInt8, CaseIterable, Comparable {
        case persists
        case closes
        /// Closes after reading what the client may still send.
        case lingers

        static func < (left: Ending, right: Ending) -> Bool { left.rawValue < right.rawValue }
    }

    var reading = Reading.head
    var sending = Sending.nothing
    var ending = Ending.persists
    /// The client has closed its side before its response is sent or its body is read.
    var isHungUp = false
    /// The requests that are read already wait until the other connections were served.
    var awaitsTurn = false
}

extension ConnectionState {
    enum Event: Hashable {
        // The socket.
        /// The socket has bytes, or after them the client's end if `isHungUp`.
        case readable(isHungUp: Bool)
        /// A read found nothing.
        case exhausted
        /// A read found the client's end.
        case ended
        /// A read failed.
        case failed
        /// The socket takes no more bytes.
        case blocked
        /// The socket takes bytes again.
        case writable
        /// The output is with the socket.
        case flushed
        /// The server has closed its side.
        case shutDown
        case close

        // TLS.
        case established
        /// The client broke TLS and was sent an alert.
        case alerted

        // A request.
        /// Bytes follow the last request that is served.
        case excess
        /// The connection has used its share of the loop.
        case shared
        /// The other connections were served.
        case turn
        case beginHTTP2
        case endHTTP2(isAtOnce: Bool)
        case collect
        case collected
        case stream
        /// The task has no room for more of the body.
        case filled
        /// The task has room again.
        case drained
        /// The task has the whole body.
        case streamed

        // A response.
        /// A rejected request's response comes later.
        case rejectLater
        /// A request was rejected before its end.
        case reject
        /// A task is started to make the response.
        case promise
        /// The task waits, or has ended.
        case started
        /// The promised response is ready; its body is to be made while it is sent if `hasStream`.
        case ready(hasStream: Bool)
        /// The response's head is written, and its body is to be made while it is sent.
        case begin(isEndless: Bool)
        /// The promised response is written.
        case complete
        /// The response's body is complete.
        case bodyEnded
        /// The response's body broke off.
        case bodyBroke
        /// The response is shorter than its head says.
        case truncated
        /// The response says that it is the last.
        case last(mayReceiveMore: Bool)

        // Time.
        /// The time is up; `allowsInterim` if the client understands interim responses.
        case timer(TimerKind, allowsInterim: Bool)
        /// The server stops.
        case drain
        /// The server stops, and there is no request.
        case idle
    }

    /// The actions that follow from an event, in the order in which they are performed.
    struct Actions: OptionSet, Hashable {
        let rawValue: UInt64

        init(rawValue: UInt64) { self.rawValue = rawValue }

        private init(_ bit: Int) { rawValue = 1 << bit }

        /// Note that the socket has bytes which the poller doesn't report again.
        static let noteUnread = Actions(0)
        /// Stop the task that receives the request's body.
        static let abandonBody = Actions(1)
        /// Stop everything that works for the client, and drop what was read.
        static let abandonAll = Actions(2)
        static let releaseTask = Actions(3)
        static let cancelTask = Actions(4)
        static let disarm = Actions(5)
        static let armBody = Actions(6)
        static let armHangUp = Actions(7)
        static let armLinger = Actions(8)
        static let handshake = Actions(9)
        /// Continue a handshake that the client has begun; close any other.
        static let drainHandshake = Actions(10)
        static let read = Actions(11)
        /// Read and drop.
        static let drop = Actions(12)
        /// Serve what has come, and end a connection without a request.
        static let endIfIdle = Actions(13)
        static let queueTurn = Actions(14)
        /// Respond that the head took too long (408).
        static let rejectLateHead = Actions(15)
        /// Respond that the body took too long (408).
        static let rejectLateBody = Actions(16)
        static let sendContinue = Actions(17)
        static let sendHeartbeat = Actions(18)
        static let armWrite = Actions(19)
        /// Cut off a client that hasn't taken enough.
        static let checkTaken = Actions(20)
        /// Read though output waits, and then check the streams.
        static let readBeforeCheck = Actions(21)
        static let checkStreams = Actions(22)
        static let probeSession = Actions(23)
        static let hangUpSession = Actions(24)
        static let drainSession = Actions(25)
        static let failSession = Actions(26)
        static let endSession = Actions(27)
        static let writeSession = Actions(28)
        /// Write the session's output: the socket has room.
        static let writeRoom = Actions(29)
        /// Send what waits.
        static let send = Actions(30)
        static let flush = Actions(31)
        /// Serve what was read before.
        static let resume = Actions(32)
        static let settle = Actions(33)
        static let close = Actions(34)

        // Performed where their events happen.
        /// Write the response.
        static let writeResponse = Actions(35)
        /// Write the response in place of the rest of the request.
        static let rejectRequest = Actions(36)
        /// Close the server's side.
        static let shutDown = Actions(37)
    }
}
