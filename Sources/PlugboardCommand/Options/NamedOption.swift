import ArgumentParser
import Settings

/// An option that has a variable of the same name, whatever command it belongs to.
protocol NamedOption: Sendable {
    /// The name without dashes, such as `head-timeout`.
    var name: String { get }
    /// The help text of the command line.
    var help: ArgumentHelp { get }
}

extension NamedOption {
    /// The name on the command line, such as `--head-timeout`.
    var flag: String { "--\(name)" }
    /// The name in the environment, such as `PLUGBOARD_HEAD_TIMEOUT`.
    var variable: String { SettingsReader.variable(name) }
}

extension Option where Value == String? {
    /// Declares a named option of a command.
    init(_ option: some NamedOption) {
        self.init(name: .customLong(option.name), help: option.help)
    }
}
