/// The declaration of a command's option: its name, accepted values and default.
///
/// The option `--head-timeout` is `PLUGBOARD_HEAD_TIMEOUT` in the environment and `head-timeout` in
/// a file.
package struct Setting<Value: SettingValue>: Sendable {
    package let name: String
    package let rule: SettingRule<Value>
    let fallback: Value
    private let givenDefaultText: String?
    /// Whether a value is secret, such as one with a password; nil if none is.
    let hides: (@Sendable (Value) -> Bool)?

    /// Declares an option.
    ///
    /// `defaultText` describes the default if the value itself can't. With `hides`, error messages
    /// never show the value.
    package init(
        _ name: String,
        default fallback: Value,
        _ rule: SettingRule<Value> = .any,
        defaultText: String? = nil,
        hides: (@Sendable (Value) -> Bool)? = nil
    ) {
        self.name = name
        self.fallback = fallback
        self.rule = rule
        givenDefaultText = defaultText
        self.hides = hides
    }

    /// The default in words; empty for none.
    package var defaultText: String {
        if let givenDefaultText { return givenDefaultText }
        let texts = fallback.texts
        // Most options have one or no text. Joining them took 0.1 ms of a server's start.
        return texts.count > 1 ? texts.joined(separator: ",") : texts.first ?? ""
    }
}
