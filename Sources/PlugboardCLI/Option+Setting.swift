import ArgumentParser
import Settings

extension Option {
    /// An option of the command line that is a setting; what it is worth, a `SettingsReader` tells.
    init<Kind>(_ setting: Setting<Kind>, valueName: String? = nil) where Value == Setting<Kind> {
        self.init(
            wrappedValue: setting,
            name: .customLong(setting.name),
            help: ArgumentHelp(setting.help, valueName: valueName),
            transform: { setting.given([$0]) }
        )
    }

    /// An option that may be given several times.
    ///
    /// Values that have been parsed hold nothing of their declaration: it is read with them.
    init(_ setting: Setting<[String]>, valueName: String? = nil) where Value == [String] {
        self.init(
            wrappedValue: [],
            name: .customLong(setting.name),
            help: ArgumentHelp(setting.help, valueName: valueName)
        )
    }
}

extension Flag where Value == Bool? {
    /// A flag, and one that begins with `--no-`: what the file says can be taken back.
    init(_ setting: Setting<Bool>) {
        self.init(
            name: .customLong(setting.name),
            inversion: .prefixedNo,
            help: ArgumentHelp(setting.summary)
        )
    }
}

extension Setting<[String]> {
    /// The values of the command line; none where it has no such option.
    func given(_ values: [String]) -> Self { given(values.isEmpty ? nil : values as [String]?) }
}

extension Setting<Bool> {
    /// The flag of the command line.
    func given(_ flag: Bool?) -> Self { given(flag.map { [String($0)] }) }
}
