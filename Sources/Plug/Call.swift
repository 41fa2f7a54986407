/// Performs an action with its plugged implementation.
///
/// - Throws: ``NotPlugged`` if the action has no plug, or the implementation's error.
public func action<A: ActionProtocol>(
    _ action: A.Type,
    _ input: A.Input
) async throws -> A.Output {
    try await PlugCell.implementation(of: action).perform(input)
}

/// Performs an action without input with its plugged implementation.
///
/// - Throws: ``NotPlugged`` if the action has no plug, or the implementation's error.
public func action<A: ActionProtocol>(
    _ action: A.Type
) async throws -> A.Output where A.Input == Void {
    try await PlugCell.implementation(of: action).perform(())
}

/// Starts an action from code that isn't async, and promises its output.
@discardableResult
public func action<A: ActionProtocol>(_ action: A.Type, _ input: A.Input) -> Promise<A.Output> {
    Promise { try await PlugCell.implementation(of: action).perform(input) }
}

/// Starts an action without input from code that isn't async, and promises its output.
@discardableResult
public func action<A: ActionProtocol>(
    _ action: A.Type
) -> Promise<A.Output> where A.Input == Void {
    Promise { try await PlugCell.implementation(of: action).perform(()) }
}
