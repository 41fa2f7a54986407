/// The accepted values of a setting, beyond those of its type.
package struct SettingRule<Value: SettingValue>: Sendable {
    /// The accepted values, in words that follow "expected".
    package let expected: @Sendable () -> String
    let accepts: @Sendable (Value) -> Bool

    /// Makes a rule; `expected` are the accepted values, in words that follow "expected".
    package init(
        _ expected: @autoclosure @escaping @Sendable () -> String,
        accepts: @escaping @Sendable (Value) -> Bool
    ) {
        self.expected = expected
        self.accepts = accepts
    }

    /// Accepts all values of the type.
    package static var any: SettingRule { SettingRule(Value.expected) { _ in true } }
}

extension SettingRule where Value == Int {
    /// Accepts the numbers of a range.
    package static func range(_ range: ClosedRange<Int>) -> SettingRule {
        SettingRule(range.expected, accepts: range.contains)
    }
}

extension SettingRule where Value == Int? {
    /// Accepts the numbers of a range, and no number.
    package static func range(_ range: ClosedRange<Int>) -> SettingRule {
        SettingRule(range.expected) { $0.map(range.contains) ?? true }
    }
}

extension ClosedRange<Int> {
    fileprivate var expected: String { "a number from \(lowerBound) to \(upperBound)" }
}
