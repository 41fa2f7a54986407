// What takes longer than looking at an operand, and how many steps that is: measured, so that a step
// is never much more than 40 ns.
extension Evaluator {
    /// The number that JavaScript's `Number()` makes of a value.
    @inline(__always)
    mutating func number(of value: Value) throws(Stop) -> Double {
        if case .number(let number) = value { return number }
        try takeConversion(of: value)
        return try value.number()
    }

    /// The number that JavaScript's `parseFloat()` makes of a value.
    @inline(__always)
    mutating func leadingNumber(of value: Value) throws(Stop) -> Double {
        if case .number(let number) = value { return number }
        try takeConversion(of: value)
        return try value.leadingNumber()
    }

    /// The text that JavaScript's `String()` makes of a value.
    @inline(__always)
    mutating func text(of value: Value) throws(Stop) -> String {
        if case .text(let text) = value { return text }
        try takeText(of: value)
        return try value.text()
    }

    /// Takes the steps of reading a number.
    private mutating func takeConversion(of value: Value) throws(Stop) {
        switch value {
        // Digits take four times as long as bytes that are only looked at.
        case .text(let text): try take(text.utf8.count / 16)
        case .list(let list): try take(Bounds.listSteps + list.weight)
        case .null, .bool, .number, .members: break
        }
    }

    /// Takes the steps of making a text.
    mutating func takeText(of value: Value) throws(Stop) {
        switch value {
        case .number: try take(Bounds.numberSteps)
        case .list(let list): try take(Bounds.listSteps + list.weight)
        case .null, .bool, .text, .members: break
        }
    }

    /// Takes the steps of holding two values against each other that may be of two types.
    @inline(__always)
    mutating func takeComparison(_ left: Value, _ right: Value) throws(Stop) {
        switch (left, right) {
        // Texts were taken as they were read.
        case (.text, .text), (.number, .number): return
        default:
            try takeConversion(of: left)
            try takeConversion(of: right)
        }
    }

    /// Takes the steps of taking a path apart that wasn't known before.
    mutating func takePath(_ text: String) throws(Stop) { try take(8 + text.utf8.count) }

    /// Takes the steps of a remainder, which is made bit by bit.
    mutating func takeRemainder(_ dividend: Double, _ divisor: Double) throws(Stop) {
        guard dividend.isFinite, divisor.isFinite, dividend != 0, divisor != 0 else { return }
        try take(max(0, dividend.exponent - divisor.exponent) / 64)
    }

    /// What lies along a path; beyond eight, four names that are looked through are a step.
    @inline(__always)
    mutating func value(at names: [Name]) throws(Stop) -> Value? {
        let root = scope ?? context.root
        let breadth = root.breadth
        if breadth > 8 { try take((breadth - 8) / 4) }
        return root.value(at: names)
    }
}
