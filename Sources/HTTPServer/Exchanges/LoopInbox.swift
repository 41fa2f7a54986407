import System
import CLinux
import Glibc
import Locking
import Synchronization

/// A queue of messages from other threads, and the descriptor that wakes the loop.
final class LoopInbox: Sendable {
    enum Message {
        case job(UnownedJob)
        case drain
        /// The task of this exchange has room again for the request's body.
        case resumeUpload(ExchangeID)
        /// New TLS connections use this context.
        case replaceTLS(TLSContext)
    }

    /// The poller's token for wake-up events.
    static let token = UInt64.max

    let descriptor: CInt

    private struct State {
        var messages: [Message] = []
        var isClosed = false
    }

    private let state = Locked(State())
    /// Whether there are messages.
    ///
    /// Checked each turn without the lock.
    private let hasMessages = Atomic<Bool>(false)
    /// The loop's thread while it serves; 0 before and after.
    private let thread = Atomic<UInt>(0)

    init() throws {
        descriptor = eventfd(0, CInt(EFD_NONBLOCK | EFD_CLOEXEC))
        guard descriptor >= 0 else { throw SystemError("eventfd") }
    }

    deinit { Glibc.close(descriptor) }

    /// Registers the loop's thread, which then enqueues its own jobs directly.
    func open(_ thread: pthread_t) {
        self.thread.store(UInt(thread), ordering: .relaxed)
    }

    /// Returns whether the caller is the loop's thread.
    ///
    /// A thread sees its own stores, so relaxed ordering suffices.
    @inline(__always)
    func isOpen(for caller: pthread_t) -> Bool {
        thread.load(ordering: .relaxed) == UInt(caller)
    }

    /// Adds a message; returns false if the loop has ended.
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

    /// Removes all messages and passes them to `body` in order.
    func take(_ body: (Message) -> Void) {
        guard hasMessages.load(ordering: .acquiring) else { return }
        var messages: [Message] = []
        state.withLock {
            swap(&$0.messages, &messages)
            hasMessages.store(false, ordering: .relaxed)
        }
        messages.forEach(body)
    }

    /// Resets the wake-up descriptor.
    func acknowledge() {
        var count: eventfd_t = 0
        eventfd_read(descriptor, &count)
    }

    /// Closes the inbox and returns the remaining jobs.
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
