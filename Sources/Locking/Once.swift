/// A value that is made when it is first asked for, and once.
///
/// It is made under the lock, however long that takes: to wait for it is what who asks meanwhile wants. So making it
/// mustn't ask for what asks for this one.
package final class Once<Value: Sendable>: Sendable {
    private let state = Locked<Value?>(nil)
    private let make: @Sendable () -> Value

    /// A value that is made by a function.
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
