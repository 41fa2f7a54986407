/// Performs an action with its plugged implementation.
///
/// - Throws: ``NotPlugged`` if the action has no plug, ``EndlessCall`` if its plug always leads back
///   to it, or the implementation's error.
public func action<A: ActionProtocol>(
    _ action: A.Type,
    _ input: A.Input
) async throws -> A.Output {
    try await call(action, input)
}

/// Performs an action without input with its plugged implementation.
///
/// - Throws: ``NotPlugged`` if the action has no plug, ``EndlessCall`` if its plug always leads back
///   to it, or the implementation's error.
public func action<A: ActionProtocol>(
    _ action: A.Type
) async throws -> A.Output where A.Input == Void {
    try await call(action, ())
}

/// Starts an action from code that isn't async, and promises its output.
///
/// Async code can't call it. At the top level of `main.swift` the compiler would prefer it to the
/// async function, and `try await action(…)` would ignore every error.
@available(
    *,
    noasync,
    message: """
        in an async function, write 'let output: Output = try await action(…)', or \
        'Promise { try await action(…) }' to go on without the output. At the top level of \
        main.swift, write the call in 'func run() async throws { … }' and then 'try await run()'
        """
)
@discardableResult
public func action<A: ActionProtocol>(_ action: A.Type, _ input: A.Input) -> Promise<A.Output> {
    Promise { try await call(action, input) }
}

/// Starts an action without input from code that isn't async, and promises its output.
///
/// Async code can't call it, for the reason above.
@available(
    *,
    noasync,
    message: """
        in an async function, write 'let output: Output = try await action(…)', or \
        'Promise { try await action(…) }' to go on without the output. At the top level of \
        main.swift, write the call in 'func run() async throws { … }' and then 'try await run()'
        """
)
@discardableResult
public func action<A: ActionProtocol>(
    _ action: A.Type
) -> Promise<A.Output> where A.Input == Void {
    Promise { try await call(action, ()) }
}

@inline(__always)
private func call<A: ActionProtocol>(_ action: A.Type, _ input: A.Input) async throws -> A.Output {
    let (implementation, isMeasured) = try PlugCell.nextCall(of: action)
    guard isMeasured else { return try await implementation.perform(input) }
    return try await CallDepth.measure(action) { try await implementation.perform(input) }
}
