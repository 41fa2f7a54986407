import ArgumentParser
import Settings

// The command line's values stay texts until a `SettingsReader` reads them, with all others. That
// leaves one type of options: the parser looks through all conformances of the process for each.

extension Option where Value == String? {
    /// A setting's option.
    init<Kind>(_ setting: Setting<Kind>, _ summary: String, valueName: String? = nil) {
        self.init(
            name: .customLong(setting.name),
            help: ArgumentHelp(setting.help(summary), valueName: valueName)
        )
    }
}

extension Option where Value == [String] {
    /// A list's option, which may be given several times.
    init(_ setting: Setting<[String]>, _ summary: String, valueName: String? = nil) {
        self.init(
            wrappedValue: [],
            name: .customLong(setting.name),
            help: ArgumentHelp(setting.help(summary), valueName: valueName)
        )
    }
}

extension Flag where Value == Bool? {
    /// A setting's flag, and one that begins with `--no-`: what the file says can be taken back.
    init(_ setting: Setting<Bool>, _ summary: String) {
        self.init(
            name: .customLong(setting.name),
            inversion: .prefixedNo,
            help: ArgumentHelp(summary)
        )
    }
}

extension SettingsReader {
    /// The value of a setting with this option.
    func value<Kind>(of setting: Setting<Kind>, _ option: @autoclosure () -> String?) -> Kind {
        value(of: setting, given: option().map { [$0] })
    }

    /// The value of a list with these options.
    func value(
        of setting: Setting<[String]>,
        _ options: @autoclosure () -> [String]
    ) -> [String] {
        value(of: setting, given: options().asGiven)
    }

    /// The value of a setting with this flag.
    func value(of setting: Setting<Bool>, _ flag: @autoclosure () -> Bool?) -> Bool {
        value(of: setting, given: flag().map { [String($0)] })
    }
}

extension [String] {
    /// A list's options; nil where there is none.
    fileprivate var asGiven: [String]? { isEmpty ? nil : self }
}
