import Locking

/// A change that a plan made by itself.
package struct PlugChange: Sendable {
    /// The action's name.
    package let action: String
    /// The plan before it.
    package let before: PlugPlan
    /// The plan after it.
    package let after: PlugPlan
    /// What went and why.
    package let unplugged: PlugUnplugged

    private static let listeners = Locked<[Int: @Sendable (PlugChange) -> Void]>([:])

    /// Calls a function at each change, until it is removed by the number that this gives.
    package static func listen(_ listener: @escaping @Sendable (PlugChange) -> Void) -> Int {
        listeners.withLock { listeners in
            let number = (listeners.keys.max() ?? 0) + 1
            listeners[number] = listener
            return number
        }
    }

    /// Calls a function no more.
    package static func remove(_ number: Int) { listeners.withLock { $0[number] = nil } }

    static func tell(_ change: PlugChange) {
        for listener in listeners.withLock({ Array($0.values) }) { listener(change) }
    }
}
