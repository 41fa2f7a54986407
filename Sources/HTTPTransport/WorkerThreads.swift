#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

#if canImport(Glibc) || canImport(Musl)
/// Threads for blocking work, created on demand up to a limit, and ended after some idle time.
///
/// Swift's own threads must not block, since there is only one per core.
final class WorkerThreads: Sendable {
    private typealias Work = @Sendable () -> Void

    private struct State: Sendable {
        var waiting: [Work] = []
        var count = 0
        var idleCount = 0

        /// Takes work for an idle thread; nil without work.
        mutating func take() -> Work? {
            guard !waiting.isEmpty else { return nil }
            idleCount -= 1
            // Linear in the length of the queue, which is short unless the upstream server is slow.
            return waiting.removeFirst()
        }
    }

    private let maximumCount: Int
    private let state = Monitor(State())

    /// The idle time after which a thread ends.
    private static let idleTime = Duration.seconds(10)
    /// Name resolution needs the most stack of all work here; unused pages cost no memory.
    private static let stackSize = 512 << 10

    init(maximumCount: Int) { self.maximumCount = max(1, maximumCount) }

    /// Runs work on the next free thread, in the order of the calls.
    ///
    /// - Returns: False if there is no thread and none can be created.
    func run(_ work: @escaping @Sendable () -> Void) -> Bool {
        state.change { state in
            state.waiting.append(work)
            guard state.waiting.count > state.idleCount, state.count < maximumCount else {
                return true
            }
            if begin() {
                state.count += 1
            } else if state.count == 0 {
                state.waiting.removeLast()
                return false
            }
            return true
        }
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
    private func next() -> Work? {
        state.change { $0.idleCount += 1 }
        let work = state.wait(until: .now + Self.idleTime) { $0.take() }
        return work
            ?? state.change { state in
                // Work that arrived after the wait's end counts this thread as idle.
                if let work = state.take() { return work }
                state.count -= 1
                state.idleCount -= 1
                return nil
            }
    }
}
#endif
