import System
import CLinux
import Glibc

/// Readiness by epoll, level-triggered but where an interest says otherwise.
///
/// Another system's mechanism is another file with the same functions.
struct EpollPoller: ~Copyable {
    /// What to be told of a descriptor.
    struct Interest: OptionSet {
        let rawValue: UInt32
        /// Bytes, and the end of them.
        static let read = Interest(rawValue: EPOLLIN.rawValue | EPOLLRDHUP.rawValue)
        /// The end of what the other side sends, even behind bytes that nobody reads.
        static let hangUp = Interest(rawValue: EPOLLRDHUP.rawValue)
        static let write = Interest(rawValue: EPOLLOUT.rawValue)
        /// Told once of what comes, and anew when the interest is: else each event costs a second look
        /// at the socket, 2 % of a request.
        static let once = Interest(rawValue: EPOLLET.rawValue)
        /// Connections to accept; wakes one of the loops that share a listener, not all of them.
        static let accept = Interest(rawValue: EPOLLIN.rawValue | EPOLLEXCLUSIVE.rawValue)
    }

    private let descriptor: CInt
    private let events: UnsafeMutablePointer<epoll_event>
    private static let capacity = 256

    init() throws {
        descriptor = epoll_create1(CInt(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw SystemError("epoll_create1") }
        events = .allocate(capacity: Self.capacity)
    }

    deinit {
        events.deallocate()
        close(descriptor)
    }

    /// Adds a descriptor; `token` comes back with its events.
    ///
    /// False if the kernel refuses it.
    func add(_ fd: CInt, _ interest: Interest, token: UInt64) -> Bool {
        control(EPOLL_CTL_ADD, fd, interest, token)
    }

    func modify(_ fd: CInt, _ interest: Interest, token: UInt64) {
        _ = control(EPOLL_CTL_MOD, fd, interest, token)
    }

    func remove(_ fd: CInt) {
        _ = control(EPOLL_CTL_DEL, fd, [], 0)
    }

    /// Waits for events, at most `milliseconds` (-1: without end), and returns their number.
    func wait(milliseconds: CInt) -> Int {
        max(0, Int(epoll_wait(descriptor, events, CInt(Self.capacity), milliseconds)))
    }

    /// An event of the last wait.
    @inline(__always)
    func event(_ index: Int) -> (token: UInt64, readiness: Readiness) {
        let event = events[index]
        return (event.data.u64, Readiness(rawValue: event.events))
    }

    /// What an event says.
    struct Readiness {
        let rawValue: UInt32
        @inline(__always) var isWritable: Bool { rawValue & EPOLLOUT.rawValue != 0 }
        @inline(__always) var isReadable: Bool {
            rawValue & (EPOLLIN.rawValue | EPOLLRDHUP.rawValue) != 0
        }
        /// The other side sends nothing more.
        @inline(__always) var isHungUp: Bool { rawValue & EPOLLRDHUP.rawValue != 0 }
        /// The connection is gone in both directions.
        @inline(__always) var isBroken: Bool {
            rawValue & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0
        }
    }

    private func control(
        _ operation: CInt,
        _ fd: CInt,
        _ interest: Interest,
        _ token: UInt64
    ) -> Bool {
        var event = epoll_event()
        event.events = interest.rawValue
        event.data.u64 = token
        return epoll_ctl(descriptor, operation, fd, &event) == 0
    }
}
