import Glibc

/// The waiting writes of a database, in the order of their calls.
///
/// - Note: `@unchecked Sendable` is safe: `mutex` protects all mutable state.
final class WriteQueue: @unchecked Sendable {
    /// The most writes that wait.
    let maximumCount: Int

    // Allocated, because neither may move in memory.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let wakeUp: UnsafeMutablePointer<pthread_cond_t>
    private var first: PendingWrite?
    private unowned(unsafe) var last: PendingWrite?
    private var count = 0
    private var hasThread = false
    private var isIdle = false
    private var isClosed = false

    enum Addition {
        case added
        /// The first write is added: the caller starts the thread.
        case needsThread
        case isFull
        case isCancelled
    }

    init(maximumCount: Int) {
        self.maximumCount = maximumCount
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        wakeUp = .allocate(capacity: 1)
        wakeUp.initialize(to: pthread_cond_t())
        pthread_cond_init(wakeUp, nil)
    }

    deinit {
        pthread_cond_destroy(wakeUp)
        wakeUp.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    private func withLock<Value>(_ body: () -> Value) -> Value {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    // MARK: The callers' side

    /// Adds a write at the end and wakes the thread.
    func add(_ write: PendingWrite) -> Addition {
        let (addition, wakes): (Addition, Bool) = withLock {
            guard write.state == .new else { return (.isCancelled, false) }
            guard count < maximumCount else { return (.isFull, false) }
            write.state = .waiting
            write.previous = last
            if let last { last.next = write } else { first = write }
            last = write
            count += 1
            defer { (hasThread, isIdle) = (true, false) }
            return (hasThread ? .added : .needsThread, isIdle)
        }
        // Without the lock, which the thread needs next: two context switches less on one core.
        if wakes { pthread_cond_signal(wakeUp) }
        return addition
    }

    /// Removes a write that no transaction has taken; returns whether its caller has to continue.
    func cancel(_ write: PendingWrite) -> Bool {
        withLock {
            let isWaiting = write.state == .waiting
            if isWaiting { remove(write) }
            if write.state != .taken { write.state = .cancelled }
            return isWaiting
        }
    }

    /// Ends the thread; nothing waits.
    func close() {
        withLock {
            isClosed = true
            pthread_cond_signal(wakeUp)
        }
    }

    // MARK: The thread's side

    /// Takes the first write, and waits until there is one; returns nil after ``close()``.
    func waitForFirst() -> PendingWrite? {
        withLock {
            while first == nil, !isClosed {
                isIdle = true
                pthread_cond_wait(wakeUp, mutex)
            }
            isIdle = false
            return first.map(take)
        }
    }

    /// Takes the first write if there is one that `isSuitable`.
    func next(where isSuitable: (PendingWrite) -> Bool) -> PendingWrite? {
        withLock {
            guard let first, isSuitable(first) else { return nil }
            return take(first)
        }
    }

    /// The number of waiting writes.
    var waitingCount: Int { withLock { count } }

    /// Takes the first writes, at most `limit`.
    func take(atMost limit: Int) -> [PendingWrite] {
        withLock {
            var taken: [PendingWrite] = []
            while taken.count < limit, let first { taken.append(take(first)) }
            return taken
        }
    }

    /// Puts taken writes before all waiting ones, in their order.
    ///
    /// They can't be cancelled any more: they may be about to run a second time.
    func putBack(_ writes: [PendingWrite]) {
        withLock {
            for write in writes.reversed() {
                write.next = first
                write.previous = nil
                if let first { first.previous = write } else { last = write }
                first = write
                count += 1
            }
        }
    }

    /// Ends a thread that couldn't start, and returns its writes.
    func loseThread() -> [PendingWrite] {
        withLock {
            hasThread = false
            var lost: [PendingWrite] = []
            while let first { lost.append(take(first)) }
            return lost
        }
    }

    private func take(_ write: PendingWrite) -> PendingWrite {
        remove(write)
        write.state = .taken
        return write
    }

    private func remove(_ write: PendingWrite) {
        if let previous = write.previous { previous.next = write.next } else { first = write.next }
        if let next = write.next { next.previous = write.previous } else { last = write.previous }
        (write.next, write.previous) = (nil, nil)
        count -= 1
    }
}
