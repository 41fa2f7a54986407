import ArgumentParser
import Settings

/// The declaration of an option of `serve`.
///
/// The flag, the variable, the key in the file, the help and the documentation follow from it.
struct ServeOption: NamedOption {
    let name: String
    /// Sentences about the option.
    let summary: String
    /// The default in words; empty for none.
    let defaultText: String
    /// The accepted values in words.
    let expected: @Sendable () -> String
    /// The JSON type in the file.
    ///
    /// It determines the syntax on the command line.
    let form: SettingForm
    /// Reads the option into its place.
    ///
    /// The parameters are the environment with the file, the command line's texts, and the values.
    let read: @Sendable (SettingsReader, [String]?, inout ServeValues) -> Void
    private let valueName: String?

    /// Declares an option.
    ///
    /// - Parameters:
    ///   - name: the name without dashes.
    ///   - place: the place of the value. The place's previous value is the default.
    ///   - rule: the accepted values.
    ///   - valueName: the value's name in the help; by default the option's.
    ///   - defaultText: the default in words, if the value itself can't describe it.
    ///   - hides: whether a value is secret; nil if none is.
    ///   - summary: one or more sentences for the help and the documentation.
    init<Value: SettingValue>(
        _ name: String,
        _ place: any WritableKeyPath<ServeValues, Value> & Sendable,
        _ rule: SettingRule<Value> = .any,
        value valueName: String? = nil,
        default defaultText: String? = nil,
        hides: (@Sendable (Value) -> Bool)? = nil,
        help summary: String
    ) {
        let setting = Setting(
            name,
            default: ServeValues.standard[keyPath: place],
            rule,
            defaultText: defaultText,
            hides: hides
        )
        self.name = name
        self.summary = summary
        self.defaultText = setting.defaultText
        self.valueName = valueName
        expected = rule.expected
        form = Value.form
        read = { settings, given, values in
            values[keyPath: place] = settings.value(
                of: setting,
                default: values[keyPath: place],
                given: given
            )
        }
    }

    var help: ArgumentHelp {
        let hasDefault = form != .bool && !defaultText.isEmpty
        return ArgumentHelp(
            hasDefault ? "\(summary) (default: \(defaultText))" : summary,
            valueName: valueName
        )
    }
}
