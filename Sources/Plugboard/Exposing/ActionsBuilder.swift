public import Plug
public import PlugHTTP

/// Builds the list of the actions that a server exposes from their types.
///
/// There is an overload for each pair of an input's and an output's form. So the compiler rejects
/// an action that no server can expose.
@resultBuilder
public enum ActionsBuilder {
    /// An action that takes an input and returns an output.
    public static func buildExpression<A: ActionProtocol>(
        _ action: A.Type
    ) -> [ExposedAction] where A.Input: Decodable, A.Output: Encodable {
        [ExposedAction(action, .decoded(for: action), .json(of: action))]
    }

    /// An action that takes an input and returns nothing: status 204.
    public static func buildExpression<A: ActionProtocol>(
        _ action: A.Type
    ) -> [ExposedAction] where A.Input: Decodable, A.Output == Void {
        [ExposedAction(action, .decoded(for: action), .nothing(of: action))]
    }

    /// An action that takes an input and returns a body of any media type.
    public static func buildExpression<A: ActionProtocol>(
        _ action: A.Type
    ) -> [ExposedAction] where A.Input: Decodable, A.Output == ResponseBody {
        [ExposedAction(action, .decoded(for: action), .body)]
    }

    /// An action that takes an input and streams events.
    public static func buildExpression<A: ActionProtocol>(
        _ action: A.Type
    ) -> [ExposedAction] where A.Input: Decodable, A.Output == EventStream {
        [ExposedAction(action, .decoded(for: action), .events)]
    }

    /// An action that takes an input and streams values.
    public static func buildExpression<A: ActionProtocol>(
        _ action: A.Type
    ) -> [ExposedAction]
    where
        A.Input: Decodable,
        A.Output: AsyncSequence & Sendable,
        A.Output.Element: Encodable
    {
        [ExposedAction(action, .decoded(for: action), .elements)]
    }

    /// An action that takes no input and returns an output.
    public static func buildExpression<A: ActionProtocol>(
        _ action: A.Type
    ) -> [ExposedAction] where A.Input == Void, A.Output: Encodable {
        [ExposedAction(action, .nothing, .json(of: action))]
    }

    /// An action that takes no input and returns nothing: status 204.
    public static func buildExpression<A: ActionProtocol>(
        _ action: A.Type
    ) -> [ExposedAction] where A.Input == Void, A.Output == Void {
        [ExposedAction(action, .nothing, .nothing(of: action))]
    }

    /// An action that takes no input and returns a body of any media type.
    public static func buildExpression<A: ActionProtocol>(
        _ action: A.Type
    ) -> [ExposedAction] where A.Input == Void, A.Output == ResponseBody {
        [ExposedAction(action, .nothing, .body)]
    }

    /// An action that takes no input and streams events.
    public static func buildExpression<A: ActionProtocol>(
        _ action: A.Type
    ) -> [ExposedAction] where A.Input == Void, A.Output == EventStream {
        [ExposedAction(action, .nothing, .events)]
    }

    /// An action that takes no input and streams values.
    public static func buildExpression<A: ActionProtocol>(
        _ action: A.Type
    ) -> [ExposedAction]
    where
        A.Input == Void,
        A.Output: AsyncSequence & Sendable,
        A.Output.Element: Encodable
    {
        [ExposedAction(action, .nothing, .elements)]
    }

    /// An action that reads its body as a stream and returns an output.
    public static func buildExpression<A: ActionProtocol>(
        _ action: A.Type
    ) -> [ExposedAction] where A.Input == RequestBody, A.Output: Encodable {
        [ExposedAction(action, .body, .json(of: action))]
    }

    /// An action that reads its body as a stream and returns nothing: status 204.
    public static func buildExpression<A: ActionProtocol>(
        _ action: A.Type
    ) -> [ExposedAction] where A.Input == RequestBody, A.Output == Void {
        [ExposedAction(action, .body, .nothing(of: action))]
    }

    /// An action that reads its body as a stream and returns a body of any media type.
    public static func buildExpression<A: ActionProtocol>(
        _ action: A.Type
    ) -> [ExposedAction] where A.Input == RequestBody, A.Output == ResponseBody {
        [ExposedAction(action, .body, .body)]
    }

    /// An action that reads its body as a stream and streams events.
    public static func buildExpression<A: ActionProtocol>(
        _ action: A.Type
    ) -> [ExposedAction] where A.Input == RequestBody, A.Output == EventStream {
        [ExposedAction(action, .body, .events)]
    }

    /// An action that reads its body as a stream and streams values.
    public static func buildExpression<A: ActionProtocol>(
        _ action: A.Type
    ) -> [ExposedAction]
    where
        A.Input == RequestBody,
        A.Output: AsyncSequence & Sendable,
        A.Output.Element: Encodable
    {
        [ExposedAction(action, .body, .elements)]
    }

    /// Reports an input that no server can decode.
    @available(
        *,
        unavailable,
        message: """
            no server can decode this action's Input: make it Decodable, or use Void or RequestBody
            """
    )
    public static func buildExpression<A: ActionProtocol>(
        _ action: A.Type
    ) -> [ExposedAction] where A.Output: Encodable { [] }

    /// Reports an output that no server can encode.
    @available(
        *,
        unavailable,
        message: """
            no server can encode this action's Output: make it Encodable, or use Void, \
            ResponseBody, EventStream or an AsyncSequence of Encodable values
            """
    )
    public static func buildExpression<A: ActionProtocol>(
        _ action: A.Type
    ) -> [ExposedAction] where A.Input: Decodable { [] }

    /// Reports types that no server can expose.
    @available(
        *,
        unavailable,
        message: """
            an exposed action's Input is Decodable, Void or RequestBody, its Output Encodable, Void, \
            ResponseBody, EventStream or an AsyncSequence of Encodable values
            """
    )
    public static func buildExpression<A: ActionProtocol>(_ action: A.Type) -> [ExposedAction] {
        []
    }

    /// A list that was built elsewhere.
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
