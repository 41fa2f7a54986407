import HTTPServer
public import Plug
public import PlugHTTP

/// Actions whose output is made while it is sent.
extension ExposedAction {
    /// An action that takes an input and gives a body piece by piece.
    public convenience init<A: ActionProtocol>(
        _ action: A.Type
    ) where A.Input: Decodable, A.Output == ResponseBody {
        self.init(action, decode: Self.decode, encode: Self.response)
    }

    /// An action that takes nothing and gives a body piece by piece.
    public convenience init<A: ActionProtocol>(
        _ action: A.Type
    ) where A.Input == Void, A.Output == ResponseBody {
        self.init(action, decode: { _, _, _ in }, encode: Self.response)
    }

    /// An action that takes a body piece by piece, and gives one.
    public convenience init<A: ActionProtocol>(
        _ action: A.Type
    ) where A.Input == RequestBody, A.Output == ResponseBody {
        self.init(action) { body in
            Self.response(try await PlugCell.of(action).perform(A.self, body))
        }
    }

    /// An action that takes an input and gives events as they happen.
    public convenience init<A: ActionProtocol>(
        _ action: A.Type
    ) where A.Input: Decodable, A.Output == EventStream {
        self.init(action, decode: Self.decode, encode: Self.response)
    }

    /// An action that takes nothing and gives events as they happen.
    public convenience init<A: ActionProtocol>(
        _ action: A.Type
    ) where A.Input == Void, A.Output == EventStream {
        self.init(action, decode: { _, _, _ in }, encode: Self.response)
    }

    private static func response(_ body: ResponseBody) -> Response {
        let reader = SingleReader(body)
        return Response(
            status: 200,
            fields: Response.fieldLines([("Content-Type", body.mediaType)]),
            body: .stream(ResponseStream { try await reader.next() })
        )
    }

    private static func response(_ events: EventStream) -> Response {
        let reader = SingleReader(events)
        return Response(
            status: 200,
            fields: eventFields,
            body: .stream(
                ResponseStream(heartbeat: heartbeat) { try await reader.next()?.bytes }
            )
        )
    }

    private static let eventFields = Response.fieldLines([
        ("Content-Type", "text/event-stream"),
        ("Cache-Control", "no-cache"),
        // Asks nginx, where that stands in front, not to keep events until it has many.
        ("X-Accel-Buffering", "no"),
    ])

    /// A comment, which clients skip (HTML Standard §9.2.6).
    private static let heartbeat = Array(":\n\n".utf8)
}

/// Actions whose output is made while it is sent.
extension ActionsBuilder {
    /// An action that takes an input and gives a body piece by piece.
    public static func buildExpression<A: ActionProtocol>(
        _ action: A.Type
    ) -> [ExposedAction] where A.Input: Decodable, A.Output == ResponseBody {
        [ExposedAction(action)]
    }

    /// An action that takes nothing and gives a body piece by piece.
    public static func buildExpression<A: ActionProtocol>(
        _ action: A.Type
    ) -> [ExposedAction] where A.Input == Void, A.Output == ResponseBody {
        [ExposedAction(action)]
    }

    /// An action that takes a body piece by piece, and gives one.
    public static func buildExpression<A: ActionProtocol>(
        _ action: A.Type
    ) -> [ExposedAction] where A.Input == RequestBody, A.Output == ResponseBody {
        [ExposedAction(action)]
    }

    /// An action that takes an input and gives events as they happen.
    public static func buildExpression<A: ActionProtocol>(
        _ action: A.Type
    ) -> [ExposedAction] where A.Input: Decodable, A.Output == EventStream {
        [ExposedAction(action)]
    }

    /// An action that takes nothing and gives events as they happen.
    public static func buildExpression<A: ActionProtocol>(
        _ action: A.Type
    ) -> [ExposedAction] where A.Input == Void, A.Output == EventStream {
        [ExposedAction(action)]
    }
}
