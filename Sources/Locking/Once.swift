/// A value that is created once, at its first access.
///
/// Creation runs under the lock, so concurrent callers wait for it. It must not access this value
/// itself.
package final class Once<Value: Sendable>: Sendable {
    private let state = Locked<Value?>(nil)
    private let make: @Sendable () -> Value

    /// Creates a lazy value with the function that makes it.
    package init(_ make: @escaping @Sendable () -> Value) { self.make = make }

    /// The value if it was created; else nil.
    package var made: Value? { state.withLock { $0 } }

    /// The value, created at the first access.
    ///
    /// Concurrent callers wait.
    package var value: Value {
        state.withLock { made in
            let value = made ?? make()
            made = value
            return value
        }
    }
}
