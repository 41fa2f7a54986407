/// Performs an action with what it is plugged to.
///
/// - Throws: ``NotPlugged`` where nothing is plugged, or what the implementation throws.
public func action<A: ActionProtocol>(
    _ action: A.Type,
    _ input: A.Input
) async throws -> A.Output {
    try await PlugCell.implementation(of: action).perform(input)
}

/// Performs an action that takes nothing with what it is plugged to.
///
/// - Throws: ``NotPlugged`` where nothing is plugged, or what the implementation throws.
public func action<A: ActionProtocol>(
    _ action: A.Type
) async throws -> A.Output where A.Input == Void {
    try await PlugCell.implementation(of: action).perform(())
}

/// Begins an action from code that is not async, and promises its output.
@discardableResult
public func action<A: ActionProtocol>(_ action: A.Type, _ input: A.Input) -> Promise<A.Output> {
    Promise { try await PlugCell.implementation(of: action).perform(input) }
}

/// Begins an action that takes nothing from code that is not async, and promises its output.
@discardableResult
public func action<A: ActionProtocol>(
    _ action: A.Type
) -> Promise<A.Output> where A.Input == Void {
    Promise { try await PlugCell.implementation(of: action).perform(()) }
}
