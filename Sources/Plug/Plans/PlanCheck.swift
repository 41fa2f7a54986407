/// The error of an invalid plan, with all of its faults.
public struct InvalidPlan: Error, Sendable, Equatable, CustomStringConvertible {
    /// One fault in one part of a plan.
    public struct Fault: Sendable, Equatable {
        /// The part as a JSON Pointer (RFC 6901) into the plan: `/split/network`.
        public let pointer: String
        /// The description of the fault.
        public let detail: String
    }

    /// The action's name.
    public let action: String
    /// The faults, in the plan's order.
    public let faults: [Fault]

    /// One line for each fault.
    public var description: String {
        faults.map { fault in
            "the plan of \(action)\(fault.pointer.isEmpty ? "" : " at \(fault.pointer)"): "
                + fault.detail
        }.joined(separator: "\n")
    }
}

/// The check of a plan against an action's implementations and types.
struct PlanCheck {
    private(set) var faults: [InvalidPlan.Fault] = []
    /// The names of the plugged implementations; nil if the plan may name later ones.
    let names: [String]?
    let features: PlanFeatures
    private var depth = 0
    private var parts = 0
    /// The product of the surrounding retries' attempts.
    private var attempts = 1
    /// Whether another plan follows after a failure of this one.
    private var isFollowed = false

    /// The maximum depth of nested plans; each layer costs time on each call.
    private static let maximumDepth = 8
    /// The maximum number of layers and names in a plan, not counting the names in splits.
    private static let maximumCount = 64
    /// The maximum number of plans side by side in one layer.
    static let maximumBreadth = 16
    /// The maximum number of attempts by nested retries, whose numbers multiply.
    private static let maximumAttempts = 100
    /// The fault of a retry of an action that isn't idempotent.
    static let isDoneOnce =
        "the action is not idempotent: it isn't a GET, PUT or DELETE, and doesn't conform to "
        + "IdempotentAction"

    init(names: [String]?, features: PlanFeatures) {
        self.names = names
        self.features = features
    }

    mutating func plan(_ plan: PlugPlan, at pointer: String) {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else {
            return fault(pointer, "plans may nest at most \(Self.maximumDepth) deep")
        }
        parts += 1
        guard parts <= Self.maximumCount else {
            if parts == Self.maximumCount + 1 {
                fault(pointer, "a plan may have at most \(Self.maximumCount) parts")
            }
            return
        }
        plan.layer.check(&self, at: pointer)
    }

    /// Checks a plan that the layer around it performs up to `times` times per call.
    mutating func plan(_ plan: PlugPlan, at pointer: String, times: Int, from layer: String) {
        let around = attempts
        defer { attempts = around }
        attempts *= min(max(times, 1), 10)
        if attempts > Self.maximumAttempts, around <= Self.maximumAttempts {
            fault(
                layer + "/attempts",
                "with the surrounding retries this makes \(attempts) attempts per call: "
                    + "the limit is \(Self.maximumAttempts)"
            )
        }
        self.plan(plan, at: pointer)
    }

    /// Checks one step of a fallback; `isLast` is false if another step follows.
    mutating func step(_ step: PlugFallback.Step, at pointer: String, isLast: Bool) {
        let around = isFollowed
        defer { isFollowed = around }
        if !isLast { isFollowed = true }
        if let timeout = step.timeout { expiry(timeout, at: pointer + "/timeout") }
        plan(step.plan, at: step.timeout == nil ? pointer : pointer + "/plug")
    }

    /// Checks the number of plans side by side.
    mutating func breadth(_ count: Int, at pointer: String) {
        guard count > Self.maximumBreadth else { return }
        fault(pointer, "may have at most \(Self.maximumBreadth) plans")
    }

    /// Checks a timeout; a plan that timed out may still take effect.
    mutating func expiry(_ time: Double, at pointer: String) {
        seconds(time, at: pointer)
        guard isFollowed, !features.isIdempotent else { return }
        fault(
            pointer,
            "a plan that timed out may still take effect before the next one runs, and "
                + Self.isDoneOnce
        )
    }

    mutating func name(_ name: String, at pointer: String) {
        guard let names, !names.contains(name) else { return }
        let known = names.isEmpty ? "none" : names.sorted().joined(separator: ", ")
        fault(pointer, "no implementation has the name \(name). Plugged: \(known)")
    }

    /// Checks a number against its limits.
    mutating func number(_ value: Double, in bounds: ClosedRange<Double>, at pointer: String) {
        guard !bounds.contains(value) else { return }
        fault(pointer, "must be \(Self.text(bounds.lowerBound)) to \(Self.text(bounds.upperBound))")
    }

    /// Checks a count against its limits.
    mutating func count(_ value: Int, in bounds: ClosedRange<Int>, at pointer: String) {
        guard !bounds.contains(value) else { return }
        fault(pointer, "must be \(bounds.lowerBound) to \(bounds.upperBound)")
    }

    /// Checks a time in seconds: a millisecond to a day.
    mutating func seconds(_ value: Double, at pointer: String) {
        number(value, in: 0.001...86_400, at: pointer)
    }

    mutating func fault(_ pointer: String, _ detail: String) {
        faults.append(InvalidPlan.Fault(pointer: pointer, detail: detail))
    }

    /// Returns a name as one token of a pointer (RFC 6901 §3).
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

/// The plan features that an action's types allow.
struct PlanFeatures {
    let isIdempotent: Bool
    let isSafe: Bool
    /// Whether an output may be meant for its caller only.
    let isCallerSpecific: Bool
    /// Whether two outputs can be compared.
    let comparesOutputs: Bool
    /// Whether inputs can be cache keys and outputs can be stored.
    let keepsOutputs: Bool

    init<Input, Output>(_ action: any ActionProtocol.Type, _: Input.Type, _: Output.Type) {
        isSafe = action is any SafeAction.Type
        isCallerSpecific = action is any CallerSpecific.Type || Outputs.holdCallers(Input.self)
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

/// An action whose repetition has the effect of one call (RFC 9110 §9.2.2).
///
/// A plan may retry it.
///
/// `GET`, `PUT` and `DELETE` actions are; any other action can conform.
public protocol IdempotentAction: ActionProtocol {}

/// An action that only reads (RFC 9110 §9.2.1).
///
/// A plan may cache its outputs.
///
/// `GET` actions are.
public protocol SafeAction: IdempotentAction {}

/// An action whose output may be meant for its caller only.
///
/// A plan never returns it to another caller.
///
/// An action that uses the caller's identity conforms, such as one that requires scopes.
public protocol CallerSpecific: ActionProtocol {}
