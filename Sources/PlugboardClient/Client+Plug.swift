public import Plug

/// Wires an action to a server: a call is a request.
public func <~ <A: ActionProtocol>(
    action: A.Type,
    client: Client
) where A.Input: Encodable, A.Output: Decodable {
    Actions.plug(action) { input in try await client.send(action, input) }
}

/// Wires an action that gives nothing to a server: a call is a request.
public func <~ <A: ActionProtocol>(
    action: A.Type,
    client: Client
) where A.Input: Encodable, A.Output == Void {
    Actions.plug(action) { input in try await client.send(action, input) }
}

/// Wires an action that takes nothing to a server: a call is a request.
public func <~ <A: ActionProtocol>(
    action: A.Type,
    client: Client
) where A.Input == Void, A.Output: Decodable {
    Actions.plug(action) { _ in try await client.send(action) }
}

/// Wires an action that takes and gives nothing to a server: a call is a request.
public func <~ <A: ActionProtocol>(
    action: A.Type,
    client: Client
) where A.Input == Void, A.Output == Void {
    Actions.plug(action) { _ in try await client.send(action) }
}
