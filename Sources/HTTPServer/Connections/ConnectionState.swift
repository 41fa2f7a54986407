/// The state of a client's connection as a value.
///
/// Each event changes it and returns actions.
///
/// `Connection` performs the actions and reports their results as further events. The state has no
/// reference to a socket or buffer. Whether output waits for the socket is a parameter, since many
/// events depend on it.
struct ConnectionState: Hashable {
    /// The use of the bytes that the client sends.
    enum Reading: UInt8, CaseIterable {
        /// The header of the PROXY protocol isn't complete.
        case proxyHeader
        /// The TLS handshake isn't complete.
        case handshaking
        /// Between requests, or within a partial head.
        case head
        /// The request's body is collected for a responder that receives it whole.
        case collecting
        /// The response's task receives the request's body piece by piece.
        case streaming
        /// As `streaming`, but the task is slower than the client: the connection doesn't read.
        case full
        /// The response's task runs within the call that started it, until its first suspension.
        case starting
        /// A task makes the response or its body.
        case responding
        /// As `responding`; the client has sent more, which stays in the kernel and slows the
        /// client down.
        case paused
        /// The HTTP/2 session receives all bytes.
        case http2
        /// The last response is sent.
        ///
        /// The client's further bytes are dropped for a while: closing at once would reset the
        /// connection and might lose the response (RFC 9112 §9.6).
        case lingering
        case closed
    }

    /// The part of a response that isn't written yet.
    enum Sending: UInt8, CaseIterable {
        case nothing
        /// The rest of a streamed body.
        case body
        /// As `body`, with heartbeats: the body is endless.
        case endlessBody
    }

    /// The connection's end after the waiting output.
    enum Ending: UInt8, CaseIterable, Comparable {
        case persists
        case closes
        /// Closes after reading and dropping the client's further bytes.
        case lingers

        static func < (left: Ending, right: Ending) -> Bool { left.rawValue < right.rawValue }
    }

    var reading = Reading.head
    var sending = Sending.nothing
    var ending = Ending.persists
    /// The client has half-closed before its response was sent or its body was read.
    var isHungUp = false
    /// The requests already read wait until the other connections have been served.
    var awaitsTurn = false
}

extension ConnectionState {
    enum Event: Hashable {
        // The socket.
        /// The socket has bytes, followed by the client's end if `isHungUp`.
        case readable(isHungUp: Bool)
        /// A read found no bytes.
        case exhausted
        /// A read found the client's end.
        case ended
        /// A read failed.
        case failed
        /// The socket accepts no more bytes.
        case blocked
        /// The socket accepts bytes again.
        case writable
        /// The socket has accepted all output.
        case flushed
        /// The server has closed its side.
        case shutDown
        case close

        /// The header of the PROXY protocol is complete; a TLS handshake follows if `isSecure`.
        case proxied(isSecure: Bool)

        // TLS.
        case established
        /// The client violated TLS and was sent an alert.
        case alerted

        // A request.
        /// Bytes follow the last request that the connection serves.
        case excess
        /// The connection has used its share of the loop's time.
        case shared
        /// The other connections have been served.
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
        /// The task has received the whole body.
        case streamed

        // A response.
        /// A rejected request's response follows later.
        case rejectLater
        /// A request was rejected before its end.
        case reject
        /// A task is started to make the response.
        case promise
        /// The task has suspended or ended.
        case started
        /// The promised response is ready; its body is streamed if `hasStream`.
        case ready(hasStream: Bool)
        /// The response's head is written, and its body will be streamed.
        case begin(isEndless: Bool)
        /// The promised response is written.
        case complete
        /// The response's body is complete.
        case bodyEnded
        /// The response's body failed.
        case bodyBroke
        /// The response's body is shorter than its head says.
        case truncated
        /// The response has Connection: close.
        case last(mayReceiveMore: Bool)

        // Time.
        /// A timer has expired; `allowsInterim` if the client understands interim responses.
        case timer(TimerKind, allowsInterim: Bool)
        /// The server stops.
        case drain
        /// The server stops, and the connection has no request.
        case idle
    }

    /// The actions that follow from an event, in the order of their execution.
    struct Actions: OptionSet, Hashable {
        let rawValue: UInt64

        init(rawValue: UInt64) { self.rawValue = rawValue }

        private init(_ bit: Int) { rawValue = 1 << bit }

        /// Note that the socket has bytes that the poller doesn't report again.
        static let noteUnread = Actions(0)
        /// Stop the task that receives the request's body.
        static let abandonBody = Actions(1)
        /// Stop all work for the client, and drop what was read.
        static let abandonAll = Actions(2)
        static let releaseTask = Actions(3)
        static let cancelTask = Actions(4)
        static let disarm = Actions(5)
        static let armBody = Actions(6)
        static let armHangUp = Actions(7)
        static let armLinger = Actions(8)
        static let readProxyHeader = Actions(39)
        static let handshake = Actions(9)
        /// Continue the connection's beginning: its PROXY protocol header or its handshake.
        static let drainHandshake = Actions(10)
        static let read = Actions(11)
        /// Read and drop.
        static let drop = Actions(12)
        /// Serve requests that have arrived; close a connection without one.
        static let endIfIdle = Actions(13)
        static let queueTurn = Actions(14)
        /// Respond with 408: the head took too long.
        static let rejectLateHead = Actions(15)
        /// Respond with 408: the body took too long.
        static let rejectLateBody = Actions(16)
        /// Close the connection: the header of the PROXY protocol took too long.
        static let rejectLateProxyHeader = Actions(38)
        static let sendContinue = Actions(17)
        static let sendHeartbeat = Actions(18)
        static let armWrite = Actions(19)
        /// Close the connection if the client has received too little.
        static let checkTaken = Actions(20)
        /// Read although output waits, then check the streams.
        static let readBeforeCheck = Actions(21)
        static let checkStreams = Actions(22)
        static let probeSession = Actions(23)
        static let hangUpSession = Actions(24)
        static let drainSession = Actions(25)
        static let failSession = Actions(26)
        static let endSession = Actions(27)
        static let writeSession = Actions(28)
        /// Write the session's output, since the socket accepts bytes again.
        static let writeRoom = Actions(29)
        /// Send the waiting output.
        static let send = Actions(30)
        static let flush = Actions(31)
        /// Serve requests that were read before.
        static let resume = Actions(32)
        static let settle = Actions(33)
        static let close = Actions(34)

        // Performed at the call that reports the event.
        /// Write the response.
        static let writeResponse = Actions(35)
        /// Write the response in place of reading the rest of the request.
        static let rejectRequest = Actions(36)
        /// Close the server's side.
        static let shutDown = Actions(37)
    }
}
