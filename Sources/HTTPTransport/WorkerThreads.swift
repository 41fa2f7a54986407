#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

#if canImport(Glibc) || canImport(Musl)
/// Threads for blocking work, created on demand up to a limit, and ended after some idle time.
///
/// Swift's own threads must not block, since there is only one per core.
///
/// - Note: `@unchecked Sendable` is safe: `mutex` protects all mutable state.
final class WorkerThreads: @unchecked Sendable {
    // Allocated, because neither may move in memory.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let wakeUp: UnsafeMutablePointer<pthread_cond_t>
    private let maximumCount: Int
    private var waiting: [@Sendable () -> Void] = []
    private var count = 0
    private var idleCount = 0

    /// The idle time after which a thread ends.
    private static let idleSeconds = 10
    /// Name resolution needs the most stack of all work here; unused pages cost no memory.
    private static let stackSize = 512 << 10

    init(maximumCount: Int) {
        self.maximumCount = max(1, maximumCount)
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        wakeUp = .allocate(capacity: 1)
        wakeUp.initialize(to: pthread_cond_t())
        pthread_cond_init(wakeUp, nil)
    }

    // Running threads retain their owner, so none is left here.
    deinit {
        pthread_cond_destroy(wakeUp)
        wakeUp.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs work on the next free thread, in the order of the calls.
    ///
    /// - Returns: False if there is no thread and none can be created.
    func run(_ work: @escaping @Sendable () -> Void) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        waiting.append(work)
        pthread_cond_signal(wakeUp)
        guard waiting.count > idleCount, count < maximumCount else { return true }
        if begin() {
            count += 1
        } else if count == 0 {
            waiting.removeLast()
            return false
        }
        return true
    }

    private func begin() -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, Self.stackSize)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let owner = Unmanaged.passRetained(self)
        #if canImport(Glibc)
        var thread = pthread_t()
        #else
        var thread: pthread_t?
        #endif
        let status = pthread_create(
            &thread,
            &attributes,
            { owner in
                guard let owner else { return nil }
                Unmanaged<WorkerThreads>.fromOpaque(owner).takeRetainedValue().work()
                return nil
            },
            owner.toOpaque()
        )
        if status != 0 { owner.release() }
        return status == 0
    }

    private func work() {
        while let work = next() { work() }
    }

    /// Returns the next work, or nil after the idle time.
    private func next() -> (@Sendable () -> Void)? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        var limit = timespec()
        clock_gettime(CLOCK_REALTIME, &limit)
        limit.tv_sec += Self.idleSeconds
        idleCount += 1
        defer { idleCount -= 1 }
        while waiting.isEmpty {
            guard pthread_cond_timedwait(wakeUp, mutex, &limit) != ETIMEDOUT else {
                if waiting.isEmpty {
                    count -= 1
                    return nil
                }
                break
            }
        }
        // Linear in the length of the queue, which is short unless the upstream server is slow.
        return waiting.removeFirst()
    }
}
#endif
