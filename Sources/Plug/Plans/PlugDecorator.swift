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

/// A decorator around a plan: `{"decorate": {"plug": "one", "with": "logged"}}`.
public struct PlugDecoration: Sendable, Hashable {
    /// The decorated plan.
    public var plan: PlugPlan
    /// The decorator's name.
    public var decorator: String

    /// Creates a decorator around a plan.
    public init(_ plan: PlugPlan, with decorator: String) {
        self.plan = plan
        self.decorator = decorator
    }

    private static let known = Locked<[String: any PlugDecorator]>([:])

    static func register(_ decorator: some PlugDecorator, as name: String) {
        known.withLock { $0[name] = decorator }
    }
}

extension PlugDecoration: Codable {
    /// Decodes the decoration.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.members("plug", "with")
        self.init(
            try members.decode(PlugPlan.self, forKey: .plug),
            with: try members.decode(String.self, forKey: PlanKey("with"))
        )
    }

    /// Encodes the decoration.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: PlanKey.self)
        try members.encode(plan, forKey: .plug)
        try members.encode(decorator, forKey: PlanKey("with"))
    }
}

extension PlugDecoration: PlanLayer {
    func check(_ check: inout PlanCheck, at pointer: String) {
        let known = Self.known.withLock { $0.keys.sorted() }
        if !known.contains(decorator) {
            let list = known.isEmpty ? "none" : known.joined(separator: ", ")
            check.fault(
                pointer + "/decorate/with",
                "there is no decorator \(decorator). Registered: \(list)"
            )
        }
        check.plan(plan, at: pointer + "/decorate/plug")
    }

    func wire<Input, Output>(
        _ board: PlanParts<Input, Output>,
        at pointer: String
    ) -> Wiring<Input, Output> {
        let next = board.wire(plan, at: pointer + "/decorate/plug")
        let name = board.name
        guard let decorator = Self.known.withLock({ $0[decorator] }) else { return next }
        return Wiring(perform: { input in
            try await decorator.perform(name, input, next: NextPlug(wiring: next))
        })
    }

    func mapping(_ transform: (PlugPlan) -> PlugPlan) -> PlugPlan {
        .decorate(PlugDecoration(transform(plan), with: decorator))
    }
}
