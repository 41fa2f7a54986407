#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

#if canImport(Glibc) || canImport(Musl)
import Locking

/// A thread that waits for the events of all streams' sockets.
///
/// So an open stream needs no thread of its own.
final class Poller: Sendable {
    static let shared = Poller()

    private struct Waiter {
        let descriptor: Int32
        let events: Int16
        let deadline: ContinuousClock.Instant
        /// The events; 0 at the deadline.
        let handoff: Handoff<Int16>
    }

    private let waiters = Locked<[ObjectIdentifier: Waiter]>([:])
    private let isRunning = Locked(false)
    private let thread = WorkerThreads(maximumCount: 1)
    /// A pipe, whose bytes end a running poll, so that it includes a new waiter.
    private let wakeUp: (read: Int32, write: Int32)

    private init() {
        var ends: [Int32] = [-1, -1]
        if pipe(&ends) == 0 {
            for end in ends {
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            }
        }
        wakeUp = (ends[0], ends[1])
    }

    /// Waits for an event of a descriptor, which must stay open meanwhile.
    ///
    /// - Returns: The events; 0 at the deadline.
    /// - Throws: `CancellationError`, or ``ClientError`` if no thread can be created.
    func wait(
        for events: Int16,
        of descriptor: Int32,
        until deadline: ContinuousClock.Instant
    ) async throws -> Int16 {
        guard start() else { throw ClientError(.unreachable, "No thread can be created") }
        let handoff = Handoff<Int16>()
        let id = ObjectIdentifier(handoff)
        defer { waiters.withLock { $0[id] = nil } }
        return try await handoff.wait {
            waiters.withLock { waiters in
                waiters[id] = Waiter(
                    descriptor: descriptor,
                    events: events,
                    deadline: deadline,
                    handoff: handoff
                )
            }
            interrupt()
        }
    }

    /// Starts the thread, if it doesn't run.
    private func start() -> Bool {
        let isFirst = isRunning.withLock { isRunning in
            defer { isRunning = true }
            return !isRunning
        }
        guard isFirst else { return true }
        guard wakeUp.read >= 0, thread.run({ self.run() }) else {
            isRunning.withLock { $0 = false }
            return false
        }
        return true
    }

    private func interrupt() {
        var byte: UInt8 = 0
        // A full pipe has a wake-up in it already.
        _ = write(wakeUp.write, &byte, 1)
    }

    private func run() {
        while true {
            let waiters = waiters.withLock { Array($0.values) }
            var entries = [pollfd(fd: wakeUp.read, events: Int16(POLLIN), revents: 0)]
            entries += waiters.map {
                pollfd(fd: $0.descriptor, events: $0.events, revents: 0)
            }
            let deadline = waiters.map(\.deadline).min()
            _ = poll(&entries, nfds_t(entries.count), Self.milliseconds(until: deadline))
            if entries[0].revents != 0 {
                var room: UInt64 = 0
                while read(wakeUp.read, &room, MemoryLayout<UInt64>.size) > 0 {}
            }
            let now = ContinuousClock.now
            for (waiter, entry) in zip(waiters, entries.dropFirst())
            where entry.revents != 0 || waiter.deadline <= now {
                let id = ObjectIdentifier(waiter.handoff)
                self.waiters.withLock { $0[id] = nil }
                waiter.handoff.end(.success(entry.revents))
            }
        }
    }

    /// Returns the time for `poll`: rounded up, and -1 for no deadline.
    private static func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
        guard let deadline else { return -1 }
        let (seconds, attoseconds) = max(.zero, deadline - .now).components
        return Int32(clamping: seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1)
    }
}
#endif
