extension Actions {
    /// Registers a decorator under the name that plans use.
    public static func decorator(_ name: String, _ decorator: some PlugDecorator) {
        PlugDecorators.register(decorator, as: name)
    }
}
