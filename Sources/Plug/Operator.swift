// Binds looser than every operator but assignment, so that the right side may be any expression.
precedencegroup PlugPrecedence {
    higherThan: AssignmentPrecedence
    lowerThan: TernaryPrecedence
}

/// Plugs the implementation on the right into the action on the left.
infix operator <~ : PlugPrecedence

/// Wires an action to an implementation that is created for each call.
public func <~ <A: ActionProtocol>(
    action: A.Type,
    implementation: @autoclosure @escaping @Sendable () -> A
) {
    Actions.plug(action, to: implementation())
}

/// Wires an action to a synchronous closure.
public func <~ <A: ActionProtocol>(
    action: A.Type,
    perform: @escaping @Sendable (A.Input) throws -> A.Output
) {
    Actions.plug(action, to: perform)
}

/// Wires an action without input to a synchronous closure.
public func <~ <A: ActionProtocol>(
    action: A.Type,
    perform: @escaping @Sendable () throws -> A.Output
) where A.Input == Void {
    Actions.plug(action, to: perform)
}

/// Wires an action to an async closure.
public func <~ <A: ActionProtocol>(
    action: A.Type,
    perform: nonisolated(nonsending) @escaping @Sendable (A.Input) async throws -> A.Output
) {
    Actions.plug(action, to: perform)
}

/// Wires an action without input to an async closure.
public func <~ <A: ActionProtocol>(
    action: A.Type,
    perform: nonisolated(nonsending) @escaping @Sendable () async throws -> A.Output
) where A.Input == Void {
    Actions.plug(action, to: perform)
}
