public import Plug
public import PlugHTTP

/// Builds the list of the actions that a server exposes from their types.
@resultBuilder
public enum ActionsBuilder {
    /// An action that takes an input and gives an output.
    public static func buildExpression<A: ActionProtocol>(
        _ action: A.Type
    ) -> [ExposedAction] where A.Input: Decodable, A.Output: Encodable {
        [ExposedAction(action)]
    }

    /// An action that takes nothing.
    public static func buildExpression<A: ActionProtocol>(
        _ action: A.Type
    ) -> [ExposedAction] where A.Input == Void, A.Output: Encodable {
        [ExposedAction(action)]
    }

    /// An action that gives nothing.
    public static func buildExpression<A: ActionProtocol>(
        _ action: A.Type
    ) -> [ExposedAction] where A.Input: Decodable, A.Output == Void {
        [ExposedAction(action)]
    }

    /// An action that takes and gives nothing.
    public static func buildExpression<A: ActionProtocol>(
        _ action: A.Type
    ) -> [ExposedAction] where A.Input == Void, A.Output == Void {
        [ExposedAction(action)]
    }

    /// An action that takes its body piece by piece.
    public static func buildExpression<A: ActionProtocol>(
        _ action: A.Type
    ) -> [ExposedAction] where A.Input == RequestBody, A.Output: Encodable {
        [ExposedAction(action)]
    }

    /// An action that takes its body piece by piece and gives nothing.
    public static func buildExpression<A: ActionProtocol>(
        _ action: A.Type
    ) -> [ExposedAction] where A.Input == RequestBody, A.Output == Void {
        [ExposedAction(action)]
    }

    /// A list made elsewhere.
    public static func buildExpression(_ actions: [ExposedAction]) -> [ExposedAction] { actions }

    /// The actions in their order.
    public static func buildBlock(_ actions: [ExposedAction]...) -> [ExposedAction] {
        actions.flatMap(\.self)
    }

    /// Actions that are exposed under a condition.
    public static func buildOptional(_ actions: [ExposedAction]?) -> [ExposedAction] {
        actions ?? []
    }

    /// One side of a condition.
    public static func buildEither(first: [ExposedAction]) -> [ExposedAction] { first }

    /// The other side of a condition.
    public static func buildEither(second: [ExposedAction]) -> [ExposedAction] { second }

    /// The actions of a loop.
    public static func buildArray(_ actions: [[ExposedAction]]) -> [ExposedAction] {
        actions.flatMap(\.self)
    }
}
