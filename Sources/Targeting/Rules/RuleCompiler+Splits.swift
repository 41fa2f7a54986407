extension RuleCompiler {
    /// Checks a `rollout`: a percentage, with an optional bucketing key before it.
    ///
    /// The targeting key is the default.
    mutating func checkRollout(_ node: Int32) {
        rule.isKeyed = true
        let parent = program.nodes[Int(node)]
        let last = Int(parent.count) - 1
        let operand = program.operand(last, of: parent)
        guard case .number(let percent)? = program.constant(operand),
            let threshold = Buckets.threshold(percent: percent)
        else {
            return reject(
                "expected a percentage, a number from 0 to 100 with at most 3 decimals",
                operand
            )
        }
        if last == 1, constant(node, 0) != nil {
            reject("a constant puts all users into one bucket", program.operand(0, of: parent))
        }
        setDetail(Int32(threshold), of: node)
    }

    /// Checks a `fractional`: parts of a value and a weight, with an optional bucketing key before
    /// them.
    ///
    /// The targeting key is the default.
    mutating func checkFractional(_ node: Int32) {
        rule.isKeyed = true
        let parent = program.nodes[Int(node)]
        let first = program.fractionalHasKey(parent) ? 1 : 0
        guard first < Int(parent.count) else {
            return reject("expected at least one part, [value, weight]", node, "/fractional")
        }
        var total = 0
        var ends: [UInt32]? = []
        for place in first..<Int(parent.count) {
            let part = program.operand(place, of: parent)
            guard let weight = checkPart(part) else {
                ends = nil
                continue
            }
            total += weight
            if total <= Int(Int32.max) { ends?.append(UInt32(total)) }
        }
        if total > Int(Int32.max) {
            return reject(Failure.weightsTooLarge.rawValue, node, "/fractional")
        }
        guard let ends else { return }
        guard total > 0 else { return reject(Failure.noWeight.rawValue, node, "/fractional") }
        setDetail(add(Program.Split(ends: ends, total: UInt32(total))), of: node)
    }

    /// Checks a part and returns its weight; nil if it is computed or invalid.
    private mutating func checkPart(_ part: Int32) -> Int? {
        let node = program.nodes[Int(part)]
        var weight: Value? = .number(1)
        var place = ""
        var value: Value?
        switch node.operation {
        case .constant:
            guard case .list(let list)? = program.constant(part),
                (1...2).contains(list.elements.count)
            else {
                reject("expected a part, [value, weight]", part)
                return nil
            }
            value = list.elements[0]
            if list.elements.count == 2 {
                weight = list.elements[1]
                place = "/1"
            }
        case .list:
            guard (1...2).contains(node.count) else {
                reject("expected a part, [value, weight]", part)
                return nil
            }
            value = constant(part, 0)
            if node.count == 2 {
                weight = constant(part, 1)
                place = "/1"
            }
        default:
            return nil
        }
        if let value, !value.isPartValue {
            reject("expected a text, a number, a boolean or null", part, "/0")
        }
        guard let weight else { return nil }
        guard let count = weight.weight else {
            reject(Failure.notAWeight.rawValue, part, place)
            return nil
        }
        return count
    }
}

extension Program {
    /// Whether the first operand of a `fractional` is the bucketing key rather than a part.
    func fractionalHasKey(_ node: Node) -> Bool {
        guard node.count > 0 else { return false }
        let first = operand(0, of: node)
        switch nodes[Int(first)].operation {
        case .list: return false
        case .constant:
            if case .list? = constant(first) { return false }
            return true
        default: return true
        }
    }
}

extension Value {
    /// The weight: an integer, 0 for negative ones, 1 for null; nil for other values.
    var weight: Int? {
        switch self {
        case .null: return 1
        case .number(let number):
            guard let weight = Int(exactly: number), weight <= Int(Int32.max) else { return nil }
            return max(weight, 0)
        default: return nil
        }
    }

    /// Whether the value can be that of a split's part.
    var isPartValue: Bool {
        switch self {
        case .null, .bool, .number, .text: true
        case .list, .members: false
        }
    }
}
