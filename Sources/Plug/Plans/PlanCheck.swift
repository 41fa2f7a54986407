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
    private var parts = 0
    /// How often the retries around the plan perform a call at most.
    private var attempts = 1
    /// Whether another plan is asked where this one fails.
    private var isFollowed = false

    /// How deep plans may nest: each layer costs each call something.
    private static let greatestDepth = 8
    /// How many layers and names a plan may have, but those of its splits.
    private static let greatestCount = 64
    /// How many plans may stand side by side.
    static let greatestBreadth = 16
    /// How often retries within retries may perform a call: their numbers multiply.
    private static let greatestAttempts = 100
    /// Why an action isn't tried again.
    static let isDoneOnce =
        "the action may not be performed twice for once: it is no GET, PUT or DELETE, and doesn't "
        + "declare that it is idempotent"

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
        parts += 1
        guard parts <= Self.greatestCount else {
            if parts == Self.greatestCount + 1 {
                fault(pointer, "a plan has \(Self.greatestCount) parts at most")
            }
            return
        }
        plan.layer.check(&self, at: pointer)
    }

    /// A plan that is performed so often for each time that the layer around it is.
    mutating func plan(_ plan: PlugPlan, at pointer: String, times: Int, from layer: String) {
        let around = attempts
        defer { attempts = around }
        attempts *= min(max(times, 1), 10)
        if attempts > Self.greatestAttempts, around <= Self.greatestAttempts {
            fault(
                layer + "/attempts",
                "with the retries around it this makes \(attempts) attempts of one call: "
                    + "\(Self.greatestAttempts) at most"
            )
        }
        self.plan(plan, at: pointer)
    }

    /// A plan, and whether another one is asked where it fails.
    mutating func step(_ step: PlugFallback.Step, at pointer: String, isLast: Bool) {
        let around = isFollowed
        defer { isFollowed = around }
        if !isLast { isFollowed = true }
        if let timeout = step.timeout { expiry(timeout, at: pointer + "/timeout") }
        plan(step.plan, at: step.timeout == nil ? pointer : pointer + "/plug")
    }

    /// How many stand side by side.
    mutating func breadth(_ count: Int, at pointer: String) {
        guard count > Self.greatestBreadth else { return }
        fault(pointer, "takes \(Self.greatestBreadth) plans at most")
    }

    /// A time after which a plan is given up, and may be performed all the same.
    mutating func expiry(_ time: Double, at pointer: String) {
        seconds(time, at: pointer)
        guard isFollowed, !abilities.isIdempotent else { return }
        fault(
            pointer,
            "what is given up may be done all the same before the next plan is asked, and "
                + Self.isDoneOnce
        )
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
    /// An answer may be its caller's alone.
    let isCallerBound: Bool
    /// Two outputs can be told apart.
    let comparesOutputs: Bool
    /// An input can be looked up, and an output kept.
    let keepsOutputs: Bool

    init<Input, Output>(_ action: any ActionProtocol.Type, _: Input.Type, _: Output.Type) {
        isSafe = action is any SafeAction.Type
        isCallerBound = action is any CallerBound.Type || Outputs.holdCallers(Input.self)
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

/// An action whose answer may be its caller's alone: no plan gives it to another.
///
/// Whatever asks who calls is, such as an action that needs scopes.
public protocol CallerBound: ActionProtocol {}
