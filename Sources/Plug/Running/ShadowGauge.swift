import Locking

/// A shadow's statistics and its limit.
final class ShadowGauge: Sendable {
    private let limit: Int
    private let kept = Locked(PlugState.Shadow(at: ""))

    init(limit: Int) { self.limit = limit }

    func state(at pointer: String) -> PlugState.Shadow {
        var state = kept.withLock { $0 }
        state.at = pointer
        return state
    }

    func begin() -> Bool {
        kept.withLock { state in
            guard state.running < limit else {
                state.skipped += 1
                return false
            }
            state.running += 1
            return true
        }
    }

    /// - Parameter isSame: Whether the results are the same; nil if they can't be compared.
    func end(_ isSame: Bool?) {
        kept.withLock { state in
            state.running -= 1
            guard let isSame else { return }
            state.compared += 1
            if !isSame { state.differences += 1 }
        }
    }
}
