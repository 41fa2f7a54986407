// Binds looser than every operator but assignment, so that the right side may be any expression.
precedencegroup PlugPrecedence {
    higherThan: AssignmentPrecedence
    lowerThan: TernaryPrecedence
}

/// Plugs the implementation on the right into the action on the left.
infix operator <~ : PlugPrecedence

/// Plugs an implementation, created for each call, into an action.
public func <~ <A: ActionProtocol>(
    action: A.Type,
    implementation: @autoclosure @escaping @Sendable () -> A
) {
    Actions.plug(action, to: implementation())
}

/// Plugs a synchronous closure into an action.
///
/// For an action without input, the closure may have no parameter: `{ "pong" }`.
public func <~ <A: ActionProtocol>(
    action: A.Type,
    perform: @escaping @Sendable (A.Input) throws -> A.Output
) {
    Actions.plug(action, to: perform)
}

/// Plugs an async closure into an action.
public func <~ <A: ActionProtocol>(
    action: A.Type,
    perform: nonisolated(nonsending) @escaping @Sendable (A.Input) async throws -> A.Output
) {
    Actions.plug(action, to: perform)
}

/// Sends an action's calls through a plan.
///
/// Its names may be plugged before or after. Any other fault makes each call throw ``InvalidPlan``,
/// as an action without a plug throws ``NotPlugged``.
public func <~ <A: ActionProtocol>(action: A.Type, plan: PlugPlan) {
    PlugCell.book(action).choose(plan)
}

/// Reports an implementation of another action.
@available(
    *,
    unavailable,
    message: """
        the implementation's class isn't a subclass of the action: derive it, as in \
        'final class MyAction: TheAction', and plug it with 'TheAction.self <~ MyAction()'
        """
)
public func <~ <A: ActionProtocol, Input, Output>(
    action: A.Type,
    implementation: Action<Input, Output>
) {}

/// Reports a type in place of an implementation.
@available(
    *,
    unavailable,
    message:
        "the right side is a type: create the implementation, as in 'TheAction.self <~ MyAction()'"
)
public func <~ <A: ActionProtocol>(action: A.Type, implementation: any ActionProtocol.Type) {}
