extension Actions {
    /// What one call of the action would be performed by: for benchmarks, since `action(…)` does
    /// the same and then calls it.
    ///
    /// - Throws: ``NotPlugged`` where nothing is plugged.
    @_spi(Benchmarks)
    public static func resolve<A: ActionProtocol>(
        _ action: A.Type
    ) throws(NotPlugged) -> Action<A.Input, A.Output> {
        try PlugCell.implementation(of: action)
    }
}
