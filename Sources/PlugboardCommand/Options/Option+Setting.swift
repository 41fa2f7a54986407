import ArgumentParser
import Settings

// A `SettingsReader` parses the command line's values with all others; until then they are strings.
// So all options have one type: for each type the parser searches all conformances of the process.

extension Option where Value == String? {
    /// Makes a setting's option.
    init<Kind>(_ setting: Setting<Kind>, _ summary: String, valueName: String? = nil) {
        self.init(
            name: .customLong(setting.name),
            help: ArgumentHelp(setting.help(summary), valueName: valueName)
        )
    }
}

extension Option where Value == [String] {
    /// Makes a list's option, which may be repeated.
    init(_ setting: Setting<[String]>, _ summary: String, valueName: String? = nil) {
        self.init(
            wrappedValue: [],
            name: .customLong(setting.name),
            help: ArgumentHelp(setting.help(summary), valueName: valueName)
        )
    }
}

extension Flag where Value == Bool? {
    /// Makes a setting's flag, and its `--no-` form that overrides the file.
    init(_ setting: Setting<Bool>, _ summary: String) {
        self.init(
            name: .customLong(setting.name),
            inversion: .prefixedNo,
            help: ArgumentHelp(summary)
        )
    }
}

extension SettingsReader {
    /// Returns a setting's value; `option` is the command line's.
    func value<Kind>(of setting: Setting<Kind>, _ option: String?) -> Kind {
        value(of: setting, given: option.map { [$0] })
    }

    /// Returns a setting's value; `base` is the server's own default.
    func value<Kind>(of setting: Setting<Kind>, _ base: Kind?, _ option: String?) -> Kind {
        value(of: setting, default: base, given: option.map { [$0] })
    }

    /// Returns a list's value; `options` are the command line's.
    func value(
        of setting: Setting<[String]>,
        _ options: [String]
    ) -> [String] {
        value(of: setting, given: options.asGiven)
    }

    /// Returns a list's value; `base` is the server's own default.
    func value(
        of setting: Setting<[String]>,
        _ base: [String],
        _ options: [String]
    ) -> [String] {
        value(of: setting, default: base, given: options.asGiven)
    }

    /// Returns a Boolean setting's value; `flag` is the command line's.
    func value(of setting: Setting<Bool>, _ flag: Bool?) -> Bool { value(of: setting, nil, flag) }

    /// Returns a Boolean setting's value; `base` is the server's own default.
    func value(of setting: Setting<Bool>, _ base: Bool?, _ flag: Bool?) -> Bool {
        value(of: setting, default: base, given: flag.map { [String($0)] })
    }
}

extension [String] {
    /// The options of a list; nil if it is empty.
    fileprivate var asGiven: [String]? { isEmpty ? nil : self }
}
