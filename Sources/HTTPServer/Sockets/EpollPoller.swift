import System
import CLinux
import Glibc

/// A readiness poller based on epoll, level-triggered by default.
///
/// A port to another system replaces this file by one with the same functions.
struct EpollPoller: ~Copyable {
    /// The events to report for a descriptor.
    struct Interest: OptionSet {
        let rawValue: UInt32
        /// Bytes, or the end of the stream.
        static let read = Interest(rawValue: EPOLLIN.rawValue | EPOLLRDHUP.rawValue)
        /// The end of the other side's stream, even after unread bytes.
        static let hangUp = Interest(rawValue: EPOLLRDHUP.rawValue)
        static let write = Interest(rawValue: EPOLLOUT.rawValue)
        /// Edge-triggered: reports new bytes once, and again when the interest is set.
        ///
        /// A level-triggered event costs a second check of the socket, 2 % of a request.
        static let once = Interest(rawValue: EPOLLET.rawValue)
        /// Connections to accept.
        ///
        /// Wakes one of the loops that share a listener.
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

    /// Adds a descriptor.
    ///
    /// Its events carry `token`.
    ///
    /// Returns false if the kernel rejects it.
    func add(_ fd: CInt, _ interest: Interest, token: UInt64) -> Bool {
        control(EPOLL_CTL_ADD, fd, interest, token)
    }

    func modify(_ fd: CInt, _ interest: Interest, token: UInt64) {
        _ = control(EPOLL_CTL_MOD, fd, interest, token)
    }

    func remove(_ fd: CInt) {
        _ = control(EPOLL_CTL_DEL, fd, [], 0)
    }

    /// Waits at most `milliseconds` (-1: forever) and returns the number of events.
    func wait(milliseconds: CInt) -> Int {
        max(0, Int(epoll_wait(descriptor, events, CInt(Self.capacity), milliseconds)))
    }

    /// An event of the last wait.
    @inline(__always)
    func event(_ index: Int) -> (token: UInt64, readiness: Readiness) {
        let event = events[index]
        return (event.data.u64, Readiness(rawValue: event.events))
    }

    /// The flags of an event.
    struct Readiness {
        let rawValue: UInt32
        @inline(__always) var isWritable: Bool { rawValue & EPOLLOUT.rawValue != 0 }
        @inline(__always) var isReadable: Bool {
            rawValue & (EPOLLIN.rawValue | EPOLLRDHUP.rawValue) != 0
        }
        /// The other side has closed its sending direction.
        @inline(__always) var isHungUp: Bool { rawValue & EPOLLRDHUP.rawValue != 0 }
        /// The connection is closed in both directions.
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
