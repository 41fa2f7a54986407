/// What is wrong with a plan, all of it.
public struct InvalidPlan: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong with one part of a plan.
    public struct Fault: Sendable, Equatable {
        /// The part as a JSON Pointer (RFC 6901) into the plan: `/split/network`.
        public let pointer: String
        /// What is wrong with it.
        public let detail: String
    }

    /// The action's name.
    public let action: String
    /// What is wrong, in the plan's order.
    public let faults: [Fault]

    /// A line for each fault.
    public var description: String {
        faults.map { fault in
            "the plan of \(action)\(fault.pointer.isEmpty ? "" : " at \(fault.pointer)"): "
                + fault.detail
        }.joined(separator: "\n")
    }
}

/// The checking of a plan against what an action has and is.
struct PlanCheck {
    private(set) var faults: [InvalidPlan.Fault] = []
    /// The names that there are; nil where they needn't be there yet.
    let names: [String]?
    let abilities: PlanAbilities
    private var depth = 0

    /// How deep plans may nest: each layer costs each call something.
    private static let greatestDepth = 8

    init(names: [String]?, abilities: PlanAbilities) {
        self.names = names
        self.abilities = abilities
    }

    mutating func plan(_ plan: PlugPlan, at pointer: String) {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.greatestDepth else {
            return fault(pointer, "plans nest \(Self.greatestDepth) deep at most")
        }
        plan.layer.check(&self, at: pointer)
    }

    mutating func name(_ name: String, at pointer: String) {
        guard let names, !names.contains(name) else { return }
        let known = names.isEmpty ? "nothing" : names.sorted().joined(separator: ", ")
        fault(pointer, "nothing is plugged under the name \(name): there is \(known)")
    }

    /// A number within bounds.
    mutating func number(_ value: Double, in bounds: ClosedRange<Double>, at pointer: String) {
        guard !bounds.contains(value) else { return }
        fault(pointer, "must be \(Self.text(bounds.lowerBound)) to \(Self.text(bounds.upperBound))")
    }

    /// A count within bounds.
    mutating func count(_ value: Int, in bounds: ClosedRange<Int>, at pointer: String) {
        guard !bounds.contains(value) else { return }
        fault(pointer, "must be \(bounds.lowerBound) to \(bounds.upperBound)")
    }

    /// A time in seconds: more than nothing, a day at most.
    mutating func seconds(_ value: Double, at pointer: String) {
        number(value, in: 0.001...86_400, at: pointer)
    }

    mutating func fault(_ pointer: String, _ detail: String) {
        faults.append(InvalidPlan.Fault(pointer: pointer, detail: detail))
    }

    /// A name as one token of a pointer (RFC 6901 §3).
    static func token(_ name: String) -> String {
        name.reduce(into: "/") { token, character in
            switch character {
            case "~": token += "~0"
            case "/": token += "~1"
            default: token.append(character)
            }
        }
    }

    static func text(_ number: Double) -> String {
        let whole = Int(exactly: number)
        return whole.map(String.init) ?? "\(number)"
    }
}

/// What the types of an action allow a plan to do with it.
struct PlanAbilities {
    let isIdempotent: Bool
    let isSafe: Bool
    /// Two outputs can be told apart.
    let comparesOutputs: Bool
    /// An input can be looked up, and an output kept.
    let keepsOutputs: Bool

    init<Input, Output>(_ action: any ActionProtocol.Type, _: Input.Type, _: Output.Type) {
        isSafe = action is any SafeAction.Type
        isIdempotent = action is any IdempotentAction.Type
        comparesOutputs =
            Output.self == Void.self || Output.self is any Equatable.Type
            || Output.self is any Encodable.Type
        keepsOutputs =
            Output.self is any Encodable.Type
            && (Input.self == Void.self || Input.self is any Hashable.Type
                || Input.self is any Encodable.Type)
    }
}

/// An action that may be performed twice for once (RFC 9110 §9.2.2): a plan may try it again.
///
/// `GET`, `PUT` and `DELETE` are; any other action can say that it is.
public protocol IdempotentAction: ActionProtocol {}

/// An action that only reads (RFC 9110 §9.2.1): a plan may answer it from a cache.
///
/// `GET` is.
public protocol SafeAction: IdempotentAction {}
