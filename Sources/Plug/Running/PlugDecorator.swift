import Locking

/// Code that runs around an implementation.
///
/// It may observe a call, change it, measure it or reject it.
///
/// ```swift
/// struct Logged: PlugDecorator {
///     func perform<I, O>(_ action: String, _ input: I, next: NextPlug<I, O>) async throws -> O {
///         print("\(action) of \(input)")
///         return try await next(input)
///     }
/// }
/// Actions.decorator("logged", Logged())    // {"decorate": {"plug": "one", "with": "logged"}}
/// ```
public protocol PlugDecorator: Sendable {
    /// Performs a call, usually by calling `next`.
    func perform<Input: Sendable, Output: Sendable>(
        _ action: String,
        _ input: Input,
        next: NextPlug<Input, Output>
    ) async throws -> Output
}

/// The implementation below a decorator.
public struct NextPlug<Input: Sendable, Output: Sendable>: Sendable {
    let wiring: Wiring<Input, Output>

    /// Performs the call; each use gets its own implementation.
    public func callAsFunction(_ input: Input) async throws -> Output {
        try await wiring.implementation().perform(input)
    }
}

/// The registered decorators by name.
enum PlugDecorators {
    private static let known = Locked<[String: any PlugDecorator]>([:])

    static var names: [String] { known.withLock { Array($0.keys) } }

    static func register(_ decorator: some PlugDecorator, as name: String) {
        known.withLock { $0[name] = decorator }
    }

    static func named(_ name: String) -> (any PlugDecorator)? { known.withLock { $0[name] } }
}

extension Wiring {
    /// Returns a wiring that runs a decorator around calls of this one.
    func decorated(by name: String, _ layer: PlanContext) -> Wiring {
        let action = layer.action
        guard let decorator = PlugDecorators.named(name) else { return self }
        return Wiring(perform: { input in
            try await decorator.perform(action, input, next: NextPlug(wiring: self))
        })
    }
}
