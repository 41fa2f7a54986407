import Glibc
package import Synchronization

/// A count that one thread changes and any thread may read.
///
/// A load and a store in place of an atomic addition: on the thread that counts it costs what a
/// plain integer does.
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
    /// Connections that were closed as soon as they were taken, for want of a place.
    package let refused = Tally()
    package let received = Tally()
    package let sent = Tally()
    /// How often the loop woke up.
    package let turns = Tally()
    /// Bytes that wait for clients which receive slowly.
    package let waiting = Tally()
    private let clock = Atomic<Int>(0)

    package init() {}

    /// Called on the loop's thread.
    func begin() {
        var id = clockid_t()
        guard pthread_getcpuclockid(pthread_self(), &id) == 0 else { return }
        clock.store(Int(id), ordering: .relaxed)
    }

    /// The CPU time that the loop's thread has used, in nanoseconds; nil before and after its life.
    ///
    /// Asked when somebody wants to know: what a loop does not measure costs it nothing.
    package var cpuTime: Int? {
        let id = clock.load(ordering: .relaxed)
        var time = timespec()
        guard id != 0, clock_gettime(clockid_t(id), &time) == 0 else { return nil }
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
