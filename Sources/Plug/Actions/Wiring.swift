/// The source of implementations for an action's calls.
///
/// All kinds of implementations are returned as `Action`, and the caller calls `perform` itself.
/// Each async function in between would cost a request 100 to 300 instructions.
///
/// - Note: `@unchecked Sendable` is safe: a wiring is constant, and an implementation that it
///   returns more than once is sendable.
final class Wiring<Input: Sendable, Output: Sendable>: @unchecked Sendable {
    private enum Source {
        case each(Factory<Action<Input, Output>>)
        case one(Action<Input, Output>)
    }

    private let source: Source

    /// Creates a wiring that calls a plan's closure for each call.
    init(making implementation: @escaping @Sendable () -> Action<Input, Output>) {
        source = .each(Factory(make: implementation))
    }

    /// Creates a wiring that makes a new implementation for each call.
    init<A: ActionProtocol>(
        _ make: @escaping @Sendable () -> A
    ) where A.Input == Input, A.Output == Output {
        if A.self is Action<Input, Output>.Type {
            // Stored without another closure, which would cost each call two atomic operations. The
            // cast is between identical layouts, since `A` is such an action.
            source = .each(same(Factory(make: make), as: Factory<Action<Input, Output>>.self))
        } else {
            source = .one(AsyncClosure { input in try await make().perform(input) })
        }
    }

    /// Wires to a synchronous closure.
    init(performNow: @escaping @Sendable (Input) throws -> Output) {
        source = .one(Closure(performNow))
    }

    /// Wires to an async closure.
    init(
        perform: nonisolated(nonsending) @escaping @Sendable (Input) async throws -> Output
    ) {
        source = .one(AsyncClosure(perform))
    }

    /// The name of the implementation's type; `closure` for a closure.
    ///
    /// An implementation is made to find out.
    var implementationType: String {
        let implementation = implementation()
        return implementation is any ClosurePlug
            ? "closure" : String(describing: type(of: implementation))
    }

    /// Returns the implementation for the next call.
    func implementation() -> Action<Input, Output> {
        switch source {
        case .each(let maker): maker.make()
        case .one(let action): action
        }
    }
}

/// A factory of class instances, with the same layout for all classes.
///
/// A closure with a generic result returns it indirectly, whatever its type.
private struct Factory<Value>: Sendable {
    let make: @Sendable () -> Value
}

/// Casts a value to a type that it is known to have.
private func same<A, B>(_ value: A, as type: B.Type) -> B { unsafeBitCast(value, to: type) }

/// An implementation that is a closure.
private protocol ClosurePlug {}

/// A synchronous closure as an implementation.
///
/// - Note: `@unchecked Sendable` is safe, and one instance may serve all calls: its only property
///   is constant and sendable.
private final class Closure<Input: Sendable, Output: Sendable>: Action<Input, Output>, ClosurePlug,
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
/// - Note: `@unchecked Sendable` is safe for the same reason as in `Closure`.
private final class AsyncClosure<Input: Sendable, Output: Sendable>: Action<Input, Output>,
    ClosurePlug, @unchecked Sendable
{
    private let closure: nonisolated(nonsending) @Sendable (Input) async throws -> Output

    init(_ closure: nonisolated(nonsending) @escaping @Sendable (Input) async throws -> Output) {
        self.closure = closure
    }

    override func perform(_ input: Input) async throws -> Output { try await closure(input) }
}
