import CLinux
import Glibc
import Locking
import System

/// The single thread of all database connections: it waits for their sockets and runs their actors.
///
/// It isn't one of the server's event loops. Those manage client connections, end when their server
/// does, and must not block. libpq blocks to resolve a host's name. So neither an event loop nor
/// one of Swift's threads ever waits for a database.
///
/// The thread starts with the first connection and never ends. Each turn polls about a dozen
/// descriptors; epoll is only faster from about a hundred.
///
/// `@unchecked Sendable` is safe: all mutable state has a lock.
final class DatabaseLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    /// The reason why a wait ended.
    enum Event: Sendable {
        case ready
        case woken
        case timedOut
        case cancelled
    }

    /// The events that a wait is for.
    struct Interest: OptionSet {
        let rawValue: CShort
        static let read = Interest(rawValue: CShort(POLLIN))
        static let write = Interest(rawValue: CShort(POLLOUT))
    }

    private struct Wait {
        let descriptor: CInt
        let interest: Interest
        let deadline: ContinuousClock.Instant
        let continuation: CheckedContinuation<Event, Never>
    }

    /// The stage of a ticket's wait; finished tickets have none.
    private enum Stage {
        case ahead
        case waiting(Wait)
        /// It ended before the wait began.
        case ended(Event)
    }

    private struct State {
        var jobs: [UnownedJob] = []
        var tickets: [UInt64: Stage] = [:]
        var ticket: UInt64 = 0
    }

    private let state = Locked(State())
    private let wakeUp: CInt

    private static let running = Locked<DatabaseLoop?>(nil)

    /// Returns the loop, and starts it on first use.
    static func shared() throws(PostgreSQLError) -> DatabaseLoop {
        try running.withLock { (running) throws(PostgreSQLError) in
            if let running { return running }
            let loop = try DatabaseLoop()
            running = loop
            return loop
        }
    }

    private init() throws(PostgreSQLError) {
        wakeUp = eventfd(0, CInt(EFD_NONBLOCK | EFD_CLOEXEC))
        do {
            guard wakeUp >= 0 else { throw SystemError("eventfd") }
            try Thread.start { [self] in run() }
        } catch {
            throw PostgreSQLError(.unavailable, "\(error)")
        }
    }

    // MARK: The executor

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isFirst = state.withLock { state in
            state.jobs.append(job)
            return state.jobs.count == 1
        }
        if isFirst { eventfd_write(wakeUp, 1) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    // MARK: Waiting

    /// Returns a ticket for one wait, which another task may end even before it begins.
    func makeTicket() -> UInt64 {
        state.withLock { state in
            state.ticket += 1
            state.tickets[state.ticket] = .ahead
            return state.ticket
        }
    }

    /// Waits until a descriptor is ready, the deadline is reached, or the task is cancelled.
    nonisolated(nonsending)
        func wait(
            for interest: Interest,
            of descriptor: CInt,
            until deadline: ContinuousClock.Instant
        ) async -> Event
    {
        await wait(makeTicket(), interest, descriptor, deadline)
    }

    /// Waits until ``wake(_:)`` is called with the ticket, the deadline is reached, or the task is
    /// cancelled.
    nonisolated(nonsending)
        func wait(_ ticket: UInt64, until deadline: ContinuousClock.Instant) async -> Event
    {
        // poll ignores negative descriptors.
        await wait(ticket, [], -1, deadline)
    }

    nonisolated(nonsending)
        private func wait(
            _ ticket: UInt64,
            _ interest: Interest,
            _ descriptor: CInt,
            _ deadline: ContinuousClock.Instant
        ) async -> Event
    {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ended = state.withLock { state -> Event? in
                    if case .ended(let event) = state.tickets[ticket] {
                        state.tickets[ticket] = nil
                        return event
                    }
                    state.tickets[ticket] = .waiting(
                        Wait(
                            descriptor: descriptor,
                            interest: interest,
                            deadline: deadline,
                            continuation: continuation
                        )
                    )
                    return nil
                }
                if let ended {
                    continuation.resume(returning: ended)
                } else {
                    // Wakes the loop, which adds the wait in its next turn.
                    eventfd_write(wakeUp, 1)
                }
            }
        } onCancel: {
            _ = end(ticket, .cancelled)
        }
    }

    /// Ends a wait; returns false if it has already ended.
    func wake(_ ticket: UInt64) -> Bool { end(ticket, .woken) }

    private func end(_ ticket: UInt64, _ event: Event) -> Bool {
        let (isEnded, wait) = state.withLock { state -> (Bool, Wait?) in
            switch state.tickets[ticket] {
            case .ahead:
                state.tickets[ticket] = .ended(event)
                return (true, nil)
            case .waiting(let wait):
                state.tickets[ticket] = nil
                return (true, wait)
            case .ended, nil: return (false, nil)
            }
        }
        wait?.continuation.resume(returning: event)
        return isEnded
    }

    // MARK: The thread

    private func run() {
        while true {
            var jobs: [UnownedJob] = []
            state.withLock { swap(&$0.jobs, &jobs) }
            for job in jobs {
                job.runSynchronously(
                    isolatedTo: asUnownedSerialExecutor(),
                    taskExecutor: asUnownedTaskExecutor()
                )
            }
            poll()
        }
    }

    private func poll() {
        var tickets: [UInt64] = []
        var descriptors = [pollfd(fd: wakeUp, events: CShort(POLLIN), revents: 0)]
        let timeout: CInt = state.withLock { state in
            var earliest: ContinuousClock.Instant?
            for case (let ticket, .waiting(let wait)) in state.tickets {
                tickets.append(ticket)
                descriptors.append(
                    pollfd(fd: wait.descriptor, events: wait.interest.rawValue, revents: 0)
                )
                earliest = min(earliest ?? wait.deadline, wait.deadline)
            }
            guard state.jobs.isEmpty else { return 0 }
            return earliest.map { Self.milliseconds(until: $0) } ?? -1
        }
        guard Glibc.poll(&descriptors, nfds_t(descriptors.count), timeout) >= 0 else { return }
        if descriptors[0].revents != 0 {
            var count: eventfd_t = 0
            eventfd_read(wakeUp, &count)
        }
        let now = ContinuousClock.now
        for (ticket, descriptor) in zip(tickets, descriptors.dropFirst()) {
            // The next read reports an error or a hang-up.
            if descriptor.revents != 0 {
                _ = end(ticket, .ready)
            } else if isDue(ticket, now) {
                _ = end(ticket, .timedOut)
            }
        }
    }

    private func isDue(_ ticket: UInt64, _ now: ContinuousClock.Instant) -> Bool {
        state.withLock { state in
            guard case .waiting(let wait) = state.tickets[ticket] else { return false }
            return wait.deadline <= now
        }
    }

    /// Returns the time until a deadline, rounded up so that the deadline has passed afterwards.
    private static func milliseconds(until deadline: ContinuousClock.Instant) -> CInt {
        let left = (deadline - .now).components
        guard left.seconds >= 0, left.attoseconds >= 0 else { return 0 }
        guard left.seconds < 3600 else { return 3_600_000 }
        return CInt(left.seconds * 1000) + CInt(left.attoseconds / 1_000_000_000_000_000) + 1
    }
}
