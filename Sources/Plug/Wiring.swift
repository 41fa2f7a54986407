/// What an action is wired to: what gives an implementation for each call.
///
/// Implementations of all kinds are handed out as `Action`, whose `perform` the caller then calls
/// itself, since each async function in between costs a request 100 to 300 instructions.
///
/// - Note: `@unchecked Sendable` is safe: it is constant, and an implementation that it hands out more
///   than once is sendable.
final class Wiring<Input: Sendable, Output: Sendable>: @unchecked Sendable {
    private enum Source {
        case each(Maker<Action<Input, Output>>)
        case one(Action<Input, Output>)
    }

    private let source: Source

    /// Whatever a plan makes for each call.
    init(making implementation: @escaping @Sendable () -> Action<Input, Output>) {
        source = .each(Maker(make: implementation))
    }

    /// A fresh implementation for each call.
    init<A: ActionProtocol>(
        _ make: @escaping @Sendable () -> A
    ) where A.Input == Input, A.Output == Output {
        if A.self is Action<Input, Output>.Type {
            // No closure around this one: it would cost each call two atomic operations. The cast is
            // between two of the same form, since `A` is such an action.
            source = .each(same(Maker(make: make), as: Maker<Action<Input, Output>>.self))
        } else {
            source = .one(AsyncClosure { input in try await make().perform(input) })
        }
    }

    /// A closure that waits for nothing.
    init(performNow: @escaping @Sendable (Input) throws -> Output) {
        source = .one(Closure(performNow))
    }

    /// An async closure.
    init(
        perform: nonisolated(nonsending) @escaping @Sendable (Input) async throws -> Output
    ) {
        source = .one(AsyncClosure(perform))
    }

    /// What the next call is performed by.
    func implementation() -> Action<Input, Output> {
        switch source {
        case .each(let maker): maker.make()
        case .one(let action): action
        }
    }
}

/// What makes values of a class, in a form that is the same for all classes.
///
/// A closure that is generic over its result gives that at an address, whatever its type.
private struct Maker<Value>: Sendable {
    let make: @Sendable () -> Value
}

/// A value as the type that it is known to have.
private func same<A, B>(_ value: A, as type: B.Type) -> B { unsafeBitCast(value, to: type) }

/// A closure that waits for nothing, as an implementation.
///
/// - Note: `@unchecked Sendable` is safe, and one may serve all calls: it has one constant property,
///   and that is sendable.
private final class Closure<Input: Sendable, Output: Sendable>: Action<Input, Output>,
    @unchecked Sendable
{
    private let closure: @Sendable (Input) throws -> Output

    init(_ closure: @escaping @Sendable (Input) throws -> Output) {
        self.closure = closure
    }

    override func performNow(_ input: Input) throws -> Output? { try closure(input) }
}

/// An async closure as an implementation.
///
/// - Note: `@unchecked Sendable` is safe as above.
private final class AsyncClosure<Input: Sendable, Output: Sendable>: Action<Input, Output>,
    @unchecked Sendable
{
    private let closure: nonisolated(nonsending) @Sendable (Input) async throws -> Output

    init(_ closure: nonisolated(nonsending) @escaping @Sendable (Input) async throws -> Output) {
        self.closure = closure
    }

    override func perform(_ input: Input) async throws -> Output { try await closure(input) }
}
