import CLinux
import Glibc
import Locking
import System

/// The one thread on which all connections to databases live: it waits for their sockets, and runs
/// the actors whose executor it is.
///
/// It isn't one of the server's event loops: those keep a table of clients, have an end (a server
/// drains, a process has several), and must not wait, which libpq does when it resolves a host's
/// name. So no loop ever waits for a database, and neither does a thread of Swift's. It begins with
/// the first connection and lasts as long as the process. A dozen descriptors are polled anew in
/// each turn; epoll pays from about a hundred.
///
/// `@unchecked Sendable`: what changes has a lock.
final class DatabaseLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    /// What ended a wait.
    enum Event: Sendable {
        case ready
        case woken
        case timedOut
        case cancelled
    }

    /// What a wait is for.
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

    /// How far a ticket's wait has come; what was waited for has none.
    private enum Stage {
        case ahead
        case waiting(Wait)
        /// It was ended before it began.
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

    /// The loop, which begins with the first who asks for it.
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

    /// A number for a wait that another may end, even before it has begun; it has to be waited for.
    func makeTicket() -> UInt64 {
        state.withLock { state in
            state.ticket += 1
            state.tickets[state.ticket] = .ahead
            return state.ticket
        }
    }

    /// Waits until a descriptor is ready, the deadline has come, or the task is cancelled.
    nonisolated(nonsending)
        func wait(
            for interest: Interest,
            of descriptor: CInt,
            until deadline: ContinuousClock.Instant
        ) async -> Event
    {
        await wait(makeTicket(), interest, descriptor, deadline)
    }

    /// Waits until ``wake(_:)`` is called with the ticket, or the deadline has come, or the task is
    /// cancelled.
    nonisolated(nonsending)
        func wait(_ ticket: UInt64, until deadline: ContinuousClock.Instant) async -> Event
    {
        // A negative descriptor is passed over by poll.
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
                    // The loop takes the wait up when it comes round, which it does at once.
                    eventfd_write(wakeUp, 1)
                }
            }
        } onCancel: {
            _ = end(ticket, .cancelled)
        }
    }

    /// Ends a wait; false if it has ended already.
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
            // An error or a hang-up is told by who reads.
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

    /// Rounded up, so that what is due is due when it is looked at.
    private static func milliseconds(until deadline: ContinuousClock.Instant) -> CInt {
        let left = (deadline - .now).components
        guard left.seconds >= 0, left.attoseconds >= 0 else { return 0 }
        guard left.seconds < 3600 else { return 3_600_000 }
        return CInt(left.seconds * 1000) + CInt(left.attoseconds / 1_000_000_000_000_000) + 1
    }
}
