/// An option of a command, declared once: its name, what it accepts, its default, its help.
///
/// The option `--head-timeout` is `PLUGBOARD_HEAD_TIMEOUT` in the environment and `head-timeout` in
/// a file.
package struct Setting<Value: SettingValue>: Sendable {
    package let name: String
    package let fallback: Value
    /// What is accepted, in words that follow "expected".
    let expected: String
    let accepts: @Sendable (Value) -> Bool
    /// The sentence for the help.
    package let summary: String
    private let fallbackText: String?
    /// What the command line says, if it does.
    package private(set) var given: [String]?

    /// Declares an option.
    ///
    /// `defaultText` says in the help what the default is, where its value can't.
    package init(
        _ name: String,
        _ help: String,
        default fallback: Value,
        defaultText: String? = nil,
        expected: String = Value.expected,
        accepts: @escaping @Sendable (Value) -> Bool = { _ in true }
    ) {
        self.name = name
        self.fallback = fallback
        self.expected = expected
        self.accepts = accepts
        summary = help
        fallbackText = defaultText
    }

    /// The option as the command line gives it.
    package func given(_ texts: [String]?) -> Self {
        var setting = self
        setting.given = texts
        return setting
    }

    /// That sentence with the default behind it.
    package var help: String {
        let texts = fallback.texts
        guard let text = fallbackText ?? (texts.isEmpty ? nil : texts.joined(separator: ",")) else {
            return summary
        }
        return "\(summary) (default: \(text))"
    }
}

extension Setting where Value == Int {
    /// Declares a number within bounds.
    package init(
        _ name: String,
        _ help: String,
        in range: ClosedRange<Int>,
        default fallback: Int,
        defaultText: String? = nil
    ) {
        self.init(
            name,
            help,
            default: fallback,
            defaultText: defaultText,
            expected: "a number from \(range.lowerBound) to \(range.upperBound)",
            accepts: range.contains
        )
    }
}

extension Setting where Value == Int? {
    /// Declares a number within bounds that need not be set.
    package init(_ name: String, _ help: String, in range: ClosedRange<Int>, defaultText: String) {
        self.init(
            name,
            help,
            default: nil,
            defaultText: defaultText,
            expected: "a number from \(range.lowerBound) to \(range.upperBound)",
            accepts: { $0.map(range.contains) ?? true }
        )
    }
}
