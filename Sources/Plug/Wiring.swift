/// What an action is wired to: what gives an implementation for each call.
///
/// Implementations of all kinds are handed out as `Action`, whose `perform` the caller then calls
/// itself, since each async function in between costs a request 100 to 300 instructions.
final class Wiring<Input: Sendable, Output: Sendable>: Sendable {
    let implementation: @Sendable () -> Action<Input, Output>

    /// Whatever a plan makes for each call.
    init(making implementation: @escaping @Sendable () -> Action<Input, Output>) {
        self.implementation = implementation
    }

    /// A fresh implementation for each call.
    init<A: ActionProtocol>(
        _ make: @escaping @Sendable () -> A
    ) where A.Input == Input, A.Output == Output {
        if A.self is Action<Input, Output>.Type {
            implementation = { same(make(), as: Action<Input, Output>.self) }
        } else {
            let action = AsyncClosure { input in try await make().perform(input) }
            implementation = { action }
        }
    }

    /// A closure that waits for nothing.
    init(performNow: @escaping @Sendable (Input) throws -> Output) {
        let action = Closure(performNow)
        implementation = { action }
    }

    /// An async closure.
    init(
        perform: nonisolated(nonsending) @escaping @Sendable (Input) async throws -> Output
    ) {
        let action = AsyncClosure(perform)
        implementation = { action }
    }
}

/// A value as the type that it is known to have; a checked cast would find that out anew for each
/// call.
@inline(__always)
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
