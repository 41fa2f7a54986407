import Locking

/// One piece of a promise's work, with the piece that it waits for.
///
/// The running task holds its step, and a step holds the one before it only until its own end. So
/// a finished chain keeps nothing, and a running chain is released one step at a time.
final class PromiseStep: Sendable {
    private struct State {
        var cancel: (@Sendable () -> Void)?
        var earlier: PromiseStep?
        var isCancelled = false
        var hasEnded = false
    }

    private let state: Locked<State>

    /// Creates a step that waits for another one, if any.
    init(after earlier: PromiseStep?) {
        state = Locked(State(earlier: earlier))
    }

    /// Stores the function that cancels the step's task, unless the task has ended.
    func begin(cancelling cancel: @escaping @Sendable () -> Void) {
        state.withLock { state in
            if !state.hasEnded { state.cancel = cancel }
        }
    }

    /// Waits for another step from now on; cancels that one if this one is cancelled.
    func wait(for step: PromiseStep) {
        let (isCancelled, old) = state.withLock { state in
            let old = state.earlier
            state.earlier = step
            return (state.isCancelled, old)
        }
        withExtendedLifetime(old) {}
        if isCancelled { step.cancel() }
    }

    /// Releases the task and the step before this one.
    func end() {
        // Both are released outside the lock: their deinits may run other code.
        let old = state.withLock { state in
            let old = state
            state.cancel = nil
            state.earlier = nil
            state.hasEnded = true
            return old
        }
        withExtendedLifetime(old) {}
    }

    /// Cancels this step and the steps before it, the latest first.
    ///
    /// A loop, since a queue of promises may have 100,000 steps. It ends at a cancelled step, since
    /// a promise whose closure returns that promise waits for itself.
    func cancel() {
        typealias Next = (cancel: (@Sendable () -> Void)?, earlier: PromiseStep?)
        var next: PromiseStep? = self
        while let step = next {
            let (cancel, earlier): Next = step.state.withLock { state in
                if state.isCancelled { return (nil, nil) }
                state.isCancelled = true
                return (state.cancel, state.earlier)
            }
            cancel?()
            next = earlier
        }
    }
}
