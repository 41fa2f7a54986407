import ArgumentParser

extension Option {
    /// Makes an optional option; the help calls its value `name`.
    init<Wrapped: ExpressibleByArgument>(_ help: String, value name: String)
    where Value == Wrapped? {
        self.init(help: ArgumentHelp(help, valueName: name))
    }
}

extension Option where Value: ExpressibleByArgument {
    /// Makes an option with a default; the help calls its value `name`.
    init(wrappedValue: Value, _ help: String, value name: String) {
        self.init(wrappedValue: wrappedValue, help: ArgumentHelp(help, valueName: name))
    }
}
