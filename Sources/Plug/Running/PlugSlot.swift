import Locking

/// The slot of one named implementation.
final class PlugSlot<Input: Sendable, Output: Sendable>: Sendable {
    private let action: String
    private let name: String
    // Type-erased: a type with generic parameters would need a metadata lookup on each call.
    private let kept: Locked<(any AnyObject & Sendable)?>

    init(_ action: String, _ name: String, _ wiring: Wiring<Input, Output>? = nil) {
        self.action = action
        self.name = name
        kept = Locked(wiring)
    }

    var wiring: Wiring<Input, Output>? {
        kept.withLock { $0 }.map { unsafeDowncast($0, to: Wiring<Input, Output>.self) }
    }

    /// The name of the implementation's type; empty if nothing is plugged.
    var implementationType: String { wiring?.implementationType ?? "" }

    /// Replaces the wiring and returns the previous one.
    func exchange(_ new: Wiring<Input, Output>?) -> Wiring<Input, Output>? {
        kept.withLock { wiring in
            let old = wiring
            wiring = new
            return old
        }.map { unsafeDowncast($0, to: Wiring<Input, Output>.self) }
    }

    func implementation() -> Action<Input, Output> {
        guard let wiring = kept.withLock({ $0 }) else {
            return FailingPlug(NotPlugged(action: action, name: name))
        }
        return unsafeDowncast(wiring, to: Wiring<Input, Output>.self).implementation()
    }
}
