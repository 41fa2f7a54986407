extension Evaluator {
    // MARK: Context lookups

    mutating func variable(_ node: Program.Node) throws(Stop) -> Value {
        if node.detail >= 0 {
            let place = Int(node.detail)
            // Reads the path's members one by one: copying the path retains its text.
            switch program.paths[place].special {
            case .flagKey: return .text(key)
            case .timestamp: return context.timestamp.map { .number(Double($0)) } ?? .null
            case nil: break
            }
            if let value = try value(at: program.paths[place].names) { return value }
            return try operand(1, node)
        }
        let path = try operand(0, node)
        if case .null = path { return scope ?? context.root }
        if let value = try lookUp(text(of: path)) { return value }
        return try operand(1, node)
    }

    /// Returns the value at a path that is computed by the rule.
    private mutating func lookUp(_ text: String) throws(Stop) -> Value? {
        try takePath(text)
        let path = Path(text)
        guard scope == nil, let special = path.special else { return try value(at: path.names) }
        switch special {
        case .flagKey: return .text(key)
        case .timestamp: return context.timestamp.map { .number(Double($0)) }
        }
    }

    mutating func missing(_ node: Program.Node) throws(Stop) -> Value {
        let values = try operands(node)
        if case .list(let list)? = values.first { return try missing(list.elements) }
        return try missing(values)
    }

    mutating func missingSome(_ node: Program.Node) throws(Stop) -> Value {
        let needed = try number(of: operand(0, node))
        let options = try operand(1, node)
        var paths = [options]
        if case .list(let list) = options { paths = list.elements }
        let missing = try missing(paths)
        guard case .list(let list) = missing else { return missing }
        return Double(paths.count - list.elements.count) >= needed ? .list(Value.List([])) : missing
    }

    private mutating func missing(_ paths: [Value]) throws(Stop) -> Value {
        var missing: [Value] = []
        for path in paths {
            try take()
            switch try lookUp(text(of: path)) {
            case nil, .null: missing.append(path)
            case .text(let text) where text.isEmpty: missing.append(path)
            default: break
            }
        }
        return .list(try list(missing))
    }

    // MARK: Decisions

    mutating func choose(_ node: Program.Node) throws(Stop) -> Value {
        var place = 0
        while place + 1 < Int(node.count) {
            if try operand(place, node).isTrue { return try operand(place + 1, node) }
            place += 2
        }
        return try operand(place, node)
    }

    /// Returns the first operand whose truth is `truth`, or the last operand.
    mutating func decide(_ node: Program.Node, by truth: Bool) throws(Stop) -> Value {
        for place in 0..<Int(node.count) - 1 {
            let value = try operand(place, node)
            if value.isTrue == truth { return value }
        }
        return try operand(Int(node.count) - 1, node)
    }

    mutating func isEqual(_ node: Program.Node) throws(Stop) -> Bool {
        let left = try operand(0, node)
        let right = try operand(1, node)
        try takeComparison(left, right)
        return try left.isLooselyEqual(to: right)
    }

    mutating func isIdentical(_ node: Program.Node) throws(Stop) -> Bool {
        try operand(0, node).isIdentical(to: operand(1, node))
    }

    mutating func compare(_ node: Program.Node) throws(Stop) -> Bool {
        let left = try operand(0, node)
        let right = try operand(1, node)
        guard node.count > 2 else { return try compare(left, right, node.operation) }
        let end = try operand(2, node)
        guard try compare(left, right, node.operation) else { return false }
        return try compare(right, end, node.operation)
    }

    private mutating func compare(
        _ left: Value,
        _ right: Value,
        _ operation: Operation
    ) throws(Stop) -> Bool {
        try takeComparison(left, right)
        guard let order = try left.order(to: right) else { return false }
        switch operation {
        case .less: return order < 0
        case .lessOrEqual: return order <= 0
        case .greater: return order > 0
        default: return order >= 0
        }
    }

    // MARK: Numbers

    mutating func calculate(_ node: Program.Node) throws(Stop) -> Double {
        let first = try operand(0, node)
        switch node.operation {
        case .sum, .product:
            var result = try leadingNumber(of: first)
            for place in 1..<max(Int(node.count), 1) {
                let number = try leadingNumber(of: operand(place, node))
                result = node.operation == .sum ? result + number : result * number
            }
            return result
        case .maximum, .minimum:
            var result = try number(of: first)
            for place in 1..<max(Int(node.count), 1) {
                let number = try number(of: operand(place, node))
                guard !result.isNaN, !number.isNaN else {
                    result = .nan
                    continue
                }
                result = node.operation == .maximum ? max(result, number) : min(result, number)
            }
            return result
        case .difference where node.count == 1: return try -number(of: first)
        case .difference: return try number(of: first) - number(of: operand(1, node))
        case .quotient: return try number(of: first) / number(of: operand(1, node))
        default:
            let divisor = try number(of: operand(1, node))
            let dividend = try number(of: first)
            try takeRemainder(dividend, divisor)
            return dividend.truncatingRemainder(dividingBy: divisor)
        }
    }
}
