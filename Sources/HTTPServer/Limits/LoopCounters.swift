import Glibc
package import HTTPSyntax
import Locking
package import Synchronization

/// A counter that one thread changes and any thread may read.
///
/// It uses a load and a store instead of an atomic addition, which is as cheap as a plain integer.
package struct Tally: ~Copyable {
    @usableFromInline let cell = Atomic<Int>(0)

    @inlinable package init() {}

    @inlinable package var value: Int { cell.load(ordering: .relaxed) }

    @inlinable @inline(__always)
    package func add(_ count: Int = 1) {
        cell.store(cell.load(ordering: .relaxed) &+ count, ordering: .relaxed)
    }
}

/// The counts of one loop's connections.
package final class LoopCounters: Sendable {
    package let accepted = Tally()
    package let closed = Tally()
    /// Connections closed right after accept because of a limit or an error.
    package let refused = Tally()
    /// Connections closed because of their PROXY protocol header.
    package let proxyFailures = ProxyFailures()
    package let received = Tally()
    package let sent = Tally()
    /// Connections with a request when the drain began, or later.
    package let drained = Tally()
    /// Connections that the end of the drain closed before their requests were complete.
    package let cut = Tally()
    /// The number of times the loop woke up.
    package let turns = Tally()
    /// Bytes that wait for slow clients.
    package let waiting = Tally()
    /// Bytes of bodies that are being collected.
    package let collected = Tally()
    /// The limits of `waiting`, `collected` and the open connections.
    package let limits: Limits
    private let untaken: UnreadBytes?
    private let clock = Atomic<Int>(0)

    /// The number of rejected PROXY protocol headers by reason.
    package final class ProxyFailures: Sendable {
        private let counts = Locked<[ProxyHeader.Failure: Int]>([:])

        func add(_ failure: ProxyHeader.Failure) {
            counts.withLock { $0[failure, default: 0] += 1 }
        }

        package subscript(failure: ProxyHeader.Failure) -> Int {
            counts.withLock { $0[failure, default: 0] }
        }
    }

    /// A loop's limits; 0 without a loop.
    package struct Limits: Sendable, Equatable {
        package var connections = 0
        /// The limit of collected body bytes.
        package var bodies = 0
        /// The limit of bytes that wait for slow clients.
        package var responses = 0

        package init() {}
    }

    package convenience init() { self.init(Limits()) }

    init(_ limits: Limits, untaken: UnreadBytes? = nil) {
        self.limits = limits
        self.untaken = untaken
    }

    /// The bytes of streamed bodies that wait for their tasks, and the count from which such
    /// requests are rejected; both are those of all loops.
    package var streamed: (bytes: Int, limit: Int) { (untaken?.count ?? 0, untaken?.limit ?? 0) }

    /// Stores the loop's CPU clock.
    ///
    /// Called on the loop's thread.
    func begin() {
        var id = clockid_t()
        guard pthread_getcpuclockid(pthread_self(), &id) == 0 else { return }
        clock.store(Int(id), ordering: .relaxed)
    }

    /// The CPU time of the loop's thread, in nanoseconds; nil before the loop starts and after it
    /// ends.
    ///
    /// Read from the kernel at each access, so it costs the loop nothing.
    package var cpuTime: Int? {
        let id = clock.load(ordering: .relaxed)
        var time = timespec()
        guard id != 0, clock_gettime(clockid_t(id), &time) == 0 else { return nil }
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
