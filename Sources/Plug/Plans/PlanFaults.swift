/// The faults of a plan's layers, and the facts about its action that they depend on.
struct PlanFaults {
    private(set) var all: [InvalidPlan.Fault] = []
    /// The names of the plugged implementations; nil if the plan may name later ones.
    let names: [String]?
    /// The names of the registered decorators.
    let decorators: [String]
    let features: PlanFeatures

    /// The maximum number of plans side by side in one layer.
    static let maximumBreadth = 16
    /// The fault of a retry of an action that isn't idempotent.
    static let isDoneOnce =
        "the action is not idempotent: it isn't a GET, PUT or DELETE, and doesn't conform to "
        + "IdempotentAction"

    init(names: [String]?, decorators: [String], features: PlanFeatures) {
        self.names = names
        self.decorators = decorators
        self.features = features
    }

    mutating func fault(_ pointer: String, _ detail: String) {
        all.append(InvalidPlan.Fault(pointer: pointer, detail: detail))
    }

    /// Checks an implementation's name.
    mutating func name(_ name: String, at pointer: String) {
        guard let names, !names.contains(name) else { return }
        fault(pointer, "no implementation has the name \(name). Plugged: \(Self.list(names))")
    }

    /// Checks a decorator's name.
    mutating func decorator(_ name: String, at pointer: String) {
        guard !decorators.contains(name) else { return }
        fault(pointer, "there is no decorator \(name). Registered: \(Self.list(decorators))")
    }

    /// Checks the number of plans side by side.
    mutating func breadth(_ count: Int, at pointer: String) {
        guard count > Self.maximumBreadth else { return }
        fault(pointer, "may have at most \(Self.maximumBreadth) plans")
    }

    /// Checks a number against its limits.
    mutating func number(_ value: Double, in bounds: ClosedRange<Double>, at pointer: String) {
        guard !bounds.contains(value) else { return }
        fault(pointer, "must be \(bounds.lowerBound.text) to \(bounds.upperBound.text)")
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

    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "none" : names.sorted().joined(separator: ", ")
    }
}

extension Double {
    /// The number as text, without a fraction if it is whole.
    var text: String { Int(exactly: self).map(String.init) ?? "\(self)" }
}
