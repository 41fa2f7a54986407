// Operations that take longer than reading an operand, and their steps. The weights are measured,
// so that a step takes about 40 ns at most.
extension Evaluator {
    /// Converts a value to a number, like JavaScript's `Number()`.
    @inline(__always)
    mutating func number(of value: Value) throws(Stop) -> Double {
        if case .number(let number) = value { return number }
        try takeConversion(of: value)
        return try value.number()
    }

    /// Converts a value to a number, like JavaScript's `parseFloat()`.
    @inline(__always)
    mutating func leadingNumber(of value: Value) throws(Stop) -> Double {
        if case .number(let number) = value { return number }
        try takeConversion(of: value)
        return try value.leadingNumber()
    }

    /// Converts a value to a text, like JavaScript's `String()`.
    @inline(__always)
    mutating func text(of value: Value) throws(Stop) -> String {
        if case .text(let text) = value { return text }
        try takeText(of: value)
        return try value.text()
    }

    /// Counts the steps of parsing a number.
    private mutating func takeConversion(of value: Value) throws(Stop) {
        switch value {
        // Parsing digits takes four times as long as comparing bytes.
        case .text(let text): try take(text.utf8.count / 16)
        case .list(let list): try take(TargetingLimits.listSteps + list.weight)
        case .null, .bool, .number, .members: break
        }
    }

    /// Takes the steps of converting a value to a text.
    mutating func takeText(of value: Value) throws(Stop) {
        switch value {
        case .number: try take(TargetingLimits.numberSteps)
        case .list(let list): try take(TargetingLimits.listSteps + list.weight)
        case .null, .bool, .text, .members: break
        }
    }

    /// Takes the steps of comparing two values that may have different types.
    @inline(__always)
    mutating func takeComparison(_ left: Value, _ right: Value) throws(Stop) {
        switch (left, right) {
        // Reading the texts took their steps already.
        case (.text, .text), (.number, .number): return
        default:
            try takeConversion(of: left)
            try takeConversion(of: right)
        }
    }

    /// Takes the steps of parsing a path.
    mutating func takePath(_ text: String) throws(Stop) { try take(8 + text.utf8.count) }

    /// Takes the steps of a remainder, which is computed bit by bit.
    mutating func takeRemainder(_ dividend: Double, _ divisor: Double) throws(Stop) {
        guard dividend.isFinite, divisor.isFinite, dividend != 0, divisor != 0 else { return }
        try take(max(0, dividend.exponent - divisor.exponent) / 64)
    }

    /// Returns the value at a path; four name comparisons are a step, the first eight are free.
    @inline(__always)
    mutating func value(at names: [Name]) throws(Stop) -> Value? {
        let root = scope ?? context.root
        let breadth = root.breadth
        if breadth > 8 { try take((breadth - 8) / 4) }
        return root.value(at: names)
    }
}
