import System
import CLinux
import Glibc

/// A loop's listening sockets, and when it may take connections from them.
struct Acceptor {
    enum Outcome {
        case connection(CInt, PeerAddress?)
        /// No more wait.
        case none
        /// The loop serves as many as it may; more wait in the kernel.
        case full
        /// The process or the system has no descriptor or memory left.
        case exhausted(SystemError)
    }

    /// The most connections taken in one go, so that those at hand are served between.
    static let batch = 64
    /// How long to leave the listeners alone when no connection can be taken: without a pause
    /// a level-triggered poller would spin.
    static let pauseMilliseconds = 100

    private(set) var listeners: [FileDescriptor]
    /// When to look at the listeners again.
    private(set) var resumesAt = Int.max
    private let limit: Int

    init(listeners: [FileDescriptor], limit: Int) {
        self.listeners = listeners
        self.limit = limit
    }

    func accept(_ listener: CInt, open: Int) -> Outcome {
        while true {
            guard open < limit else { return .full }
            // The address of a client that has reset the connection already can't be read later.
            var address = sockaddr_storage()
            let fd = clinux_accept(listener, &address)
            if fd >= 0 { return .connection(fd, PeerAddress(address)) }
            switch errno {
            case ECONNABORTED, EINTR, EPROTO: continue
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted(SystemError("accept"))
            default: return .none
            }
        }
    }

    /// Looks at the listeners again; one that the kernel refuses to watch is tried later.
    ///
    /// Returns the reason, if there was one.
    mutating func resume(_ poller: borrowing EpollPoller, now: Int) -> SystemError? {
        resumesAt = Int.max
        var refusal: SystemError?
        for listener in listeners {
            let token = UInt64(UInt32(bitPattern: listener.raw))
            guard !poller.add(listener.raw, .accept, token: token), errno != EEXIST else {
                continue
            }
            refusal = SystemError("epoll_ctl")
            resumesAt = now + Self.pauseMilliseconds
        }
        return refusal
    }

    mutating func pause(_ poller: borrowing EpollPoller, until: Int) {
        for listener in listeners { poller.remove(listener.raw) }
        resumesAt = until
    }

    mutating func close(_ poller: borrowing EpollPoller) {
        for listener in listeners { poller.remove(listener.raw) }
        listeners = []
        resumesAt = Int.max
    }
}
