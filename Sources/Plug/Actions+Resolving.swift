extension Actions {
    /// Returns the implementation for one call without calling it, for benchmarks.
    ///
    /// `action(…)` does the same and then performs it.
    ///
    /// - Throws: ``NotPlugged`` if the action has no plug.
    @_spi(Benchmarks)
    public static func resolve<A: ActionProtocol>(
        _ action: A.Type
    ) throws(NotPlugged) -> Action<A.Input, A.Output> {
        try PlugCell.nextCall(of: action).implementation
    }
}
