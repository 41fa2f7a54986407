import System
import CLinux
import Glibc
import Locking
import Synchronization

/// What other threads leave for a loop, and the descriptor that wakes it.
final class LoopInbox: Sendable {
    enum Message {
        case job(UnownedJob)
        case drain
        /// The task of this exchange has room again for the request's body.
        case resumeUpload(ExchangeID)
        /// TLS connections from now on are of this context.
        case replaceTLS(TLSContext)
    }

    /// The token that the poller gives back with the wake-up's events.
    static let token = UInt64.max

    let descriptor: CInt

    private struct State {
        var messages: [Message] = []
        var isClosed = false
    }

    private let state = Locked(State())
    /// There are messages: asked each turn, without the lock.
    private let hasMessages = Atomic<Bool>(false)
    /// The loop's thread while it serves, 0 before and after.
    private let thread = Atomic<UInt>(0)

    init() throws {
        descriptor = eventfd(0, CInt(EFD_NONBLOCK | EFD_CLOEXEC))
        guard descriptor >= 0 else { throw SystemError("eventfd") }
    }

    deinit { Glibc.close(descriptor) }

    /// From here on the loop's own thread leaves its jobs with the loop directly.
    func open(_ thread: pthread_t) {
        self.thread.store(UInt(thread), ordering: .relaxed)
    }

    /// Tells whether the caller is the loop's thread.
    ///
    /// A thread sees what it stored itself, so that no ordering is needed.
    @inline(__always)
    func isOpen(for caller: pthread_t) -> Bool {
        thread.load(ordering: .relaxed) == UInt(caller)
    }

    /// Leaves a message; false when the loop has ended.
    func post(_ message: Message) -> Bool {
        let wakes: Bool? = state.withLock { state in
            guard !state.isClosed else { return nil }
            state.messages.append(message)
            hasMessages.store(true, ordering: .releasing)
            return state.messages.count == 1
        }
        if wakes == true { eventfd_write(descriptor, 1) }
        return wakes != nil
    }

    /// Takes the messages, in their order.
    func take(_ body: (Message) -> Void) {
        guard hasMessages.load(ordering: .acquiring) else { return }
        var messages: [Message] = []
        state.withLock {
            swap(&$0.messages, &messages)
            hasMessages.store(false, ordering: .relaxed)
        }
        messages.forEach(body)
    }

    /// Takes the wake-up back.
    func acknowledge() {
        var count: eventfd_t = 0
        eventfd_read(descriptor, &count)
    }

    /// The loop ends: what is still here, and nothing more is taken.
    func close() -> [UnownedJob] {
        thread.store(0, ordering: .relaxed)
        return state.withLock { state in
            state.isClosed = true
            return state.messages.compactMap { message in
                if case .job(let job) = message { job } else { nil }
            }
        }
    }
}
