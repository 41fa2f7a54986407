import Locking

/// Whether a timeout cancelled the current task.
///
/// In that case the cancellation counts as a failure of the implementation.
final class TimeoutFlag: Sendable {
    @TaskLocal static var current: TimeoutFlag?

    private let over = Locked(false)
    private let outer = TimeoutFlag.current

    var isOver: Bool { over.withLock { $0 } || outer?.isOver ?? false }

    func end() { over.withLock { $0 = true } }
}
