import ArgumentParser

extension Option {
    /// An option that may be left out; `name` is its value's in the help.
    init<Wrapped: ExpressibleByArgument>(_ help: String, value name: String)
    where Value == Wrapped? {
        self.init(help: ArgumentHelp(help, valueName: name))
    }
}

extension Option where Value: ExpressibleByArgument {
    /// An option with a default; `name` is its value's in the help.
    init(wrappedValue: Value, _ help: String, value name: String) {
        self.init(wrappedValue: wrappedValue, help: ArgumentHelp(help, valueName: name))
    }
}
