/// The declaration of a command's option: its name, accepted values and default.
///
/// The option `--head-timeout` is `PLUGBOARD_HEAD_TIMEOUT` in the environment and `head-timeout` in
/// a file.
package struct Setting<Value: SettingValue>: Sendable {
    package let name: String
    let fallback: Value
    private let defaultText: String?
    /// Whether a value is secret, such as one with a password; nil if none is.
    let hides: (@Sendable (Value) -> Bool)?
    /// The accepted values, in words that follow "expected".
    let expected: @Sendable () -> String
    let accepts: @Sendable (Value) -> Bool

    /// Declares an option.
    ///
    /// `defaultText` describes the default in the help if the value itself can't. With `hides`,
    /// error messages never show the value.
    package init(
        _ name: String,
        default fallback: Value,
        defaultText: String? = nil,
        hides: (@Sendable (Value) -> Bool)? = nil,
        expected: @autoclosure @escaping @Sendable () -> String = Value.expected,
        accepts: @escaping @Sendable (Value) -> Bool = { _ in true }
    ) {
        self.name = name
        self.fallback = fallback
        self.expected = expected
        self.accepts = accepts
        self.defaultText = defaultText
        self.hides = hides
    }

    /// Returns a sentence for the help, followed by the default.
    package func help(_ summary: String) -> String {
        let texts = fallback.texts
        // Most options have one or no text. Joining them took 0.1 ms of a server's start.
        let text =
            defaultText ?? (texts.count > 1 ? texts.joined(separator: ",") : texts.first ?? "")
        return text.isEmpty ? summary : "\(summary) (default: \(text))"
    }
}

extension Setting where Value == Int {
    /// Declares a number within a range.
    package init(
        _ name: String,
        in range: ClosedRange<Int>,
        default fallback: Int,
        defaultText: String? = nil
    ) {
        self.init(
            name,
            default: fallback,
            defaultText: defaultText,
            expected: "a number from \(range.lowerBound) to \(range.upperBound)",
            accepts: range.contains
        )
    }
}

extension Setting where Value == Int? {
    /// Declares an optional number within a range.
    package init(_ name: String, in range: ClosedRange<Int>, defaultText: String) {
        self.init(
            name,
            default: nil,
            defaultText: defaultText,
            expected: "a number from \(range.lowerBound) to \(range.upperBound)",
            accepts: { $0.map(range.contains) ?? true }
        )
    }
}
