/// A value that is made when it is first asked for, and once.
package final class Once<Value: Sendable>: Sendable {
    private let state = Locked<Value?>(nil)
    private let make: @Sendable () -> Value

    /// A value that is made by a function, which mustn't ask for it.
    package init(_ make: @escaping @Sendable () -> Value) { self.make = make }

    /// The value, if it was asked for.
    package var made: Value? { state.withLock { $0 } }

    /// The value; who asks meanwhile waits for the one who has it made.
    package var value: Value {
        state.withLock { made in
            let value = made ?? make()
            made = value
            return value
        }
    }
}
