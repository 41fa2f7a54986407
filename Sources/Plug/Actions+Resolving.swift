extension Actions {
    /// Returns the implementation for one call without calling it.
    ///
    /// `action(…)` does the same and then performs it.
    ///
    /// - Throws: ``NotPlugged`` if the action has no plug.
    public static func resolve<A: ActionProtocol>(
        _ action: A.Type
    ) throws(NotPlugged) -> Action<A.Input, A.Output> {
        try PlugCell.nextCall(of: action).implementation
    }
}
