#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

#if canImport(Glibc) || canImport(Musl)
/// A value behind a mutex, for whose changes threads wait.
///
/// - Note: `@unchecked Sendable` is safe: `mutex` protects the value.
final class Monitor<Value: Sendable>: @unchecked Sendable {
    // Allocated, because neither may move in memory.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>
    private var value: Value

    init(_ value: Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        changed = .allocate(capacity: 1)
        changed.initialize(to: pthread_cond_t())
        pthread_cond_init(changed, nil)
    }

    deinit {
        pthread_cond_destroy(changed)
        changed.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Changes the value, and wakes one of the threads that wait for it.
    func change<Result>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        pthread_cond_signal(changed)
        return body(&value)
    }

    /// Blocks the thread until `body` returns a result; returns nil at the deadline.
    ///
    /// `body` runs at once and after changes, and may change the value.
    func wait<Result>(
        until deadline: ContinuousClock.Instant,
        for body: (inout Value) -> Result?
    ) -> Result? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&value) { return result }
            let left = deadline - .now
            guard left > .zero else { return nil }
            // At most a second at once, so that a change of the system's clock delays no deadline.
            let (seconds, attoseconds) = min(left, .seconds(1)).components
            var limit = timespec()
            clock_gettime(CLOCK_REALTIME, &limit)
            let nanoseconds = limit.tv_nsec + Int(attoseconds / 1_000_000_000)
            limit.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
            limit.tv_nsec = nanoseconds % 1_000_000_000
            _ = pthread_cond_timedwait(changed, mutex, &limit)
        }
    }
}
#endif
