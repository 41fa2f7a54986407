import Locking

/// Code that stands before whatever implementation: it may look at a call, change it, time it or
/// refuse it.
///
/// ```swift
/// struct Told: PlugDecorator {
///     func perform<I, O>(_ action: String, _ input: I, next: PlugNext<I, O>) async throws -> O {
///         print("\(action) of \(input)")
///         return try await next(input)
///     }
/// }
/// Actions.decorator("told", Told())          // then {"decorate": {"plug": "one", "with": "told"}}
/// ```
public protocol PlugDecorator: Sendable {
    /// Performs a call, usually by what comes next.
    func perform<Input: Sendable, Output: Sendable>(
        _ action: String,
        _ input: Input,
        next: PlugNext<Input, Output>
    ) async throws -> Output
}

/// What a decorator stands before.
public struct PlugNext<Input: Sendable, Output: Sendable>: Sendable {
    let wiring: Wiring<Input, Output>

    /// Performs the call; each time by an implementation of its own.
    public func callAsFunction(_ input: Input) async throws -> Output {
        try await wiring.implementation().perform(input)
    }
}

extension Actions {
    /// Gives a decorator the name that plans call it by.
    public static func decorator(_ name: String, _ decorator: some PlugDecorator) {
        PlugDecoration.known.withLock { $0[name] = decorator }
    }
}

/// A decorator before a plan: `{"decorate": {"plug": "one", "with": "told"}}`.
public struct PlugDecoration: Sendable, Hashable {
    /// What it stands before.
    public var plan: PlugPlan
    /// The decorator's name.
    public var decorator: String

    /// A decorator before a plan.
    public init(_ plan: PlugPlan, with decorator: String) {
        self.plan = plan
        self.decorator = decorator
    }

    fileprivate static let known = Locked<[String: any PlugDecorator]>([:])
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
                "there is no decorator \(decorator): there is \(list)"
            )
        }
        check.plan(plan, at: pointer + "/decorate/plug")
    }

    func wire<Input, Output>(
        _ board: PlanBoard<Input, Output>,
        at pointer: String
    ) -> Wiring<Input, Output> {
        let next = board.wire(plan, at: pointer + "/decorate/plug")
        let name = board.name
        guard let decorator = Self.known.withLock({ $0[decorator] }) else { return next }
        return Wiring(perform: { input in
            try await decorator.perform(name, input, next: PlugNext(wiring: next))
        })
    }

    func mapping(_ transform: (PlugPlan) -> PlugPlan) -> PlugPlan {
        .decorate(PlugDecoration(transform(plan), with: decorator))
    }
}
