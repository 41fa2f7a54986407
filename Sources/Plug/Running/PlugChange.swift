import Locking

/// A change of a plan by its guard.
package struct PlugChange: Sendable {
    /// The action's name.
    package let action: String
    /// The plan before it.
    package let before: PlugPlan
    /// Whether the plan before it was set while the process ran, and not by code.
    package let wasLive: Bool
    /// The plan after it.
    package let after: PlugPlan
    /// The removed candidate and the reason.
    package let unplugged: PlugUnplugged

    private static let listeners = Locked<[Int: @Sendable (PlugChange) -> Void]>([:])

    /// Registers a listener for changes and returns the number that removes it.
    package static func listen(_ listener: @escaping @Sendable (PlugChange) -> Void) -> Int {
        listeners.withLock { listeners in
            let number = (listeners.keys.max() ?? 0) + 1
            listeners[number] = listener
            return number
        }
    }

    /// Removes a listener.
    package static func remove(_ number: Int) { listeners.withLock { $0[number] = nil } }

    static func publish(_ change: PlugChange) {
        for listener in listeners.withLock({ Array($0.values) }) { listener(change) }
    }
}
