/// The rules of a ``Rules`` that a value violates.
struct BrokenRules: OptionSet {
    let rawValue: UInt16

    /// Minimum and maximum are declared, and a number is out of range.
    static let range = BrokenRules(rawValue: 1 << 0)
    static let minimum = BrokenRules(rawValue: 1 << 1)
    static let maximum = BrokenRules(rawValue: 1 << 2)
    static let exclusiveMinimum = BrokenRules(rawValue: 1 << 3)
    static let exclusiveMaximum = BrokenRules(rawValue: 1 << 4)
    static let multipleOf = BrokenRules(rawValue: 1 << 5)
    static let length = BrokenRules(rawValue: 1 << 6)
    static let pattern = BrokenRules(rawValue: 1 << 7)
    static let format = BrokenRules(rawValue: 1 << 8)
    static let count = BrokenRules(rawValue: 1 << 9)
    static let uniqueness = BrokenRules(rawValue: 1 << 10)
}

/// The rules of a place, with precomputed limits.
final class RuleSet: Sendable {
    let rules: Rules
    let limits: RuleLimits

    init(_ rules: Rules) {
        self.rules = rules
        limits = RuleLimits(rules)
    }
}

/// The limits of a place as numbers, so that reading them counts no references.
struct RuleLimits: Sendable {
    /// The integers that satisfy all limits.
    private(set) var integers: ClosedRange<Int64>? = Int64.min...Int64.max
    private(set) var unit: Int64 = 1
    private(set) var lengths = 0...Int.max
    private(set) var counts = 0...Int.max
    let appliesToNumbers: Bool
    let appliesToTexts: Bool
    let appliesToLists: Bool
    let hasTextForm: Bool
    let hasUniqueItems: Bool

    init(_ rules: Rules) {
        appliesToNumbers = rules.appliesToNumbers
        appliesToTexts = rules.appliesToTexts
        appliesToLists = rules.appliesToLists
        hasTextForm = rules.pattern != nil || rules.format != nil
        hasUniqueItems = rules.hasUniqueItems
        lengths = Self.range(rules.minLength, rules.maxLength)
        counts = Self.range(rules.minItems, rules.maxItems)
        var (least, most, isExact) = (Int64.min, Int64.max, true)
        // For integers, more than 0 is at least 1.
        func bound(_ number: JSON.Number?, _ use: (Int64) -> Void) {
            guard let number else { return }
            guard let value = Int64(number.text), value.magnitude < 1 << 62 else {
                isExact = false
                return
            }
            use(value)
        }
        bound(rules.minimum) { least = max(least, $0) }
        bound(rules.maximum) { most = min(most, $0) }
        bound(rules.exclusiveMinimum) { least = max(least, $0 + 1) }
        bound(rules.exclusiveMaximum) { most = min(most, $0 - 1) }
        bound(rules.multipleOf) { unit = $0 }
        integers = isExact && least <= most && unit > 0 ? least...most : nil
    }

    private static func range(_ least: Int?, _ most: Int?) -> ClosedRange<Int> {
        let least = max(least ?? 0, 0)
        return least...max(most ?? .max, least)
    }

    /// Whether a number is an integer that satisfies the rules; others need exact arithmetic.
    @inline(__always)
    fileprivate func containsWithoutArithmetic(_ number: NumberText) -> Bool {
        guard let integers, case .success(let value) = number.integer(Int64.self) else {
            return false
        }
        return integers.contains(value) && value % unit == 0
    }
}

extension Tape {
    /// Returns the rules that a value violates.
    ///
    /// It allocates nothing for a value within its limits. To save time, it doesn't check a text or
    /// list further if that is too long.
    func brokenRules(
        at index: Int,
        _ limits: RuleLimits,
        _ set: @autoclosure () -> RuleSet
    ) -> BrokenRules {
        let node = nodes[index]
        var broken: BrokenRules = []
        if limits.appliesToNumbers, let number = number(at: index),
            !limits.containsWithoutArithmetic(number)
        {
            broken.formUnion(set().rules.broken(by: number))
        }
        if limits.appliesToTexts, node.kind == .string || node.kind == .text {
            // JSON Schema counts code points (validation, 6.3.1), not characters.
            let count = scalarCount(node)
            if !limits.lengths.contains(count) { broken.insert(.length) }
            if limits.hasTextForm, count <= limits.lengths.upperBound {
                let set = set()
                let text = string(node)
                if let pattern = set.rules.pattern, !pattern.matches(text) {
                    broken.insert(.pattern)
                }
                if let format = set.rules.format, !format.accepts(text) { broken.insert(.format) }
            }
        }
        guard limits.appliesToLists, let count = count(node) else { return broken }
        if !limits.counts.contains(count) { broken.insert(.count) }
        if limits.hasUniqueItems, count <= limits.counts.upperBound, hasEqualElements(index) {
            broken.insert(.uniqueness)
        }
        return broken
    }

    /// Returns the number of a list's elements; nil if it isn't a list.
    ///
    /// A text is a list of one.
    private func count(_ node: Node) -> Int? {
        switch node.kind {
        case .array, .texts: Int(node.length)
        case .text: 1
        default: nil
        }
    }

    private func hasEqualElements(_ index: Int) -> Bool {
        guard nodes[index].kind != .text else { return false }
        var known: Set<JSON> = []
        var element = index + 1
        while element < nodes[index].next {
            guard known.insert(json(at: element).normal).inserted else { return true }
            element = Int(nodes[element].next)
        }
        return false
    }

    /// Returns the number of a string's Unicode scalars.
    private func scalarCount(_ node: Node) -> Int {
        guard !node.isEscaped else { return string(node).unicodeScalars.count }
        return span(node).reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
    }
}

extension Rules {
    /// Returns the rules that a number violates, by exact arithmetic.
    fileprivate func broken(by number: NumberText) -> BrokenRules {
        guard let value = DecimalText(String(decoding: number.bytes, as: UTF8.self)) else {
            return []
        }
        var broken: BrokenRules = []
        func check(_ bound: JSON.Number?, _ rule: BrokenRules, _ holds: (Int) -> Bool) {
            guard let other = bound.flatMap({ DecimalText($0.text) }) else { return }
            if !holds(value.order(to: other)) { broken.insert(rule) }
        }
        let isRange = minimum != nil && maximum != nil
        check(minimum, isRange ? .range : .minimum) { $0 >= 0 }
        check(maximum, isRange ? .range : .maximum) { $0 <= 0 }
        check(exclusiveMinimum, .exclusiveMinimum) { $0 > 0 }
        check(exclusiveMaximum, .exclusiveMaximum) { $0 < 0 }
        if let unit = multipleOf.flatMap({ DecimalText($0.text) }), !value.isMultiple(of: unit) {
            broken.insert(.multipleOf)
        }
        return broken
    }

    /// Returns a message for each violated rule.
    func messages(_ broken: BrokenRules) -> [String] {
        guard !broken.isEmpty else { return [] }
        func bound(_ number: JSON.Number?) -> String { number.map { "\($0)" } ?? "" }
        let all: [(BrokenRules, () -> String)] = [
            (.range, { "expected \(bound(minimum)) to \(bound(maximum))" }),
            (.minimum, { "expected at least \(bound(minimum))" }),
            (.maximum, { "expected at most \(bound(maximum))" }),
            (.exclusiveMinimum, { "expected more than \(bound(exclusiveMinimum))" }),
            (.exclusiveMaximum, { "expected less than \(bound(exclusiveMaximum))" }),
            (.multipleOf, { "expected a multiple of \(bound(multipleOf))" }),
            (.length, { "expected \(Self.range(minLength, maxLength)) characters" }),
            (
                .pattern,
                { "expected \(patternWords ?? "a text that matches \(pattern?.text ?? "")")" }
            ),
            (.format, { format?.expectation ?? "" }),
            (.count, { "expected \(Self.range(minItems, maxItems)) elements" }),
            (.uniqueness, { "expected no two equal elements" }),
        ]
        return all.filter { broken.contains($0.0) }.map { $0.1() }
    }

    private static func range(_ least: Int?, _ most: Int?) -> String {
        switch (least, most) {
        case (let least?, let most?): least == most ? "\(least)" : "\(least) to \(most)"
        case (let least?, nil): "at least \(least)"
        case (nil, let most): "at most \(most ?? 0)"
        }
    }
}

extension JSON {
    /// The value with equal numbers in one notation.
    fileprivate var normal: JSON {
        switch self {
        case .number(let number): .string("\0\(DecimalText(number.text)?.normal ?? number.text)")
        case .array(let elements): .array(elements.map(\.normal))
        case .object(let members): .object(Object(members.map { ($0.name, $0.value.normal) }))
        case .null, .bool, .string: self
        }
    }
}
