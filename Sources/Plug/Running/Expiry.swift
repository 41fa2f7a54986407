import Locking

/// Whether a timeout cancelled the current task.
///
/// In that case the cancellation counts as a failure of the implementation.
final class Expiry: Sendable {
    @TaskLocal static var current: Expiry?

    private let over = Locked(false)
    private let outer = Expiry.current

    var isOver: Bool { over.withLock { $0 } || outer?.isOver ?? false }

    func end() { over.withLock { $0 = true } }
}
