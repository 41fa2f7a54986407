/// An option of a command, declared once: its name, what it accepts, its default.
///
/// The option `--head-timeout` is `PLUGBOARD_HEAD_TIMEOUT` in the environment and `head-timeout` in
/// a file.
package struct Setting<Value: SettingValue>: Sendable {
    package let name: String
    let fallback: Value
    private let defaultText: String?
    /// Which values mustn't be shown, since they may hold a password; nil where all may be.
    let hides: (@Sendable (Value) -> Bool)?
    /// What is accepted, in words that follow "expected".
    let expected: @Sendable () -> String
    let accepts: @Sendable (Value) -> Bool

    /// Declares an option.
    ///
    /// `defaultText` says in the help what the default is, where its value can't. Of an option that
    /// `hides` some values a wrong one is never shown.
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

    /// A sentence for the help, with the default after it.
    package func help(_ summary: String) -> String {
        let texts = fallback.texts
        // Most have one or none; to join these took 0.1 ms of a server's start.
        let text =
            defaultText ?? (texts.count > 1 ? texts.joined(separator: ",") : texts.first ?? "")
        return text.isEmpty ? summary : "\(summary) (default: \(text))"
    }
}

extension Setting where Value == Int {
    /// Declares a number within bounds.
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
    /// Declares a number within bounds that need not be set.
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
