import System
import CLinux
import Glibc
import HTTPSyntax

/// Accepts connections from a loop's listening sockets, up to the loop's limit.
struct Acceptor {
    enum Outcome {
        case connection(CInt, IPAddress?)
        /// No connection is waiting.
        case none
        /// The loop has its maximum of connections; the others wait in the kernel.
        case full
        /// The process or the system has no descriptor or memory left.
        case exhausted(SystemError)
    }

    /// The most connections accepted in a row, so that open connections are served in between.
    static let batch = 64
    /// The pause after a failed accept; without it a level-triggered poller would spin.
    static let pauseMilliseconds = 100

    private(set) var listeners: [FileDescriptor]
    /// When to poll the listeners again.
    private(set) var resumesAt = Int.max
    /// The maximum of connections, without the reserved ones.
    let limit: Int

    init(listeners: [FileDescriptor], limit: Int) {
        self.listeners = listeners
        self.limit = limit
    }

    /// Accepts a connection if fewer are `open` than the limit and the `reserved` ones together.
    func accept(_ listener: CInt, open: Int, reserved: Int = 0) -> Outcome {
        while true {
            guard open < limit + reserved else { return .full }
            // The address of a client that has already reset the connection can't be read later.
            var address = sockaddr_storage()
            let fd = clinux_accept(listener, &address)
            if fd >= 0 { return .connection(fd, IPAddress(address)) }
            switch errno {
            case ECONNABORTED, EINTR, EPROTO: continue
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted(SystemError("accept"))
            default: return .none
            }
        }
    }

    /// Polls the listeners again; retries later for a listener that the kernel rejects.
    ///
    /// Returns the kernel's error, if any.
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
