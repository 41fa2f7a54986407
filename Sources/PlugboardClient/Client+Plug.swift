public import Plug

/// Wires an action to a server; each call is a request.
public func <~ <A: ActionProtocol>(
    action: A.Type,
    client: Client
) where A.Input: Encodable, A.Output: Decodable {
    action <~ { input in try await client.send(action, input) }
}

/// Wires an action without output to a server.
public func <~ <A: ActionProtocol>(
    action: A.Type,
    client: Client
) where A.Input: Encodable, A.Output == Void {
    action <~ { input in try await client.send(action, input) }
}

/// Wires an action without input to a server.
public func <~ <A: ActionProtocol>(
    action: A.Type,
    client: Client
) where A.Input == Void, A.Output: Decodable {
    action <~ { _ in try await client.send(action) }
}

/// Wires an action without input and output to a server.
public func <~ <A: ActionProtocol>(
    action: A.Type,
    client: Client
) where A.Input == Void, A.Output == Void {
    action <~ { _ in try await client.send(action) }
}

/// Plugs a server under a name; each call is a request.
public func <~ <A: ActionProtocol>(
    plug: NamedPlug<A>,
    client: Client
) where A.Input: Encodable, A.Output: Decodable {
    plug <~ { input in try await client.send(A.self, input) }
}

/// Plugs a server under a name, for an action without output.
public func <~ <A: ActionProtocol>(
    plug: NamedPlug<A>,
    client: Client
) where A.Input: Encodable, A.Output == Void {
    plug <~ { input in try await client.send(A.self, input) }
}

/// Plugs a server under a name, for an action without input.
public func <~ <A: ActionProtocol>(
    plug: NamedPlug<A>,
    client: Client
) where A.Input == Void, A.Output: Decodable {
    plug <~ { _ in try await client.send(A.self) }
}

/// Plugs a server under a name, for an action without input and output.
public func <~ <A: ActionProtocol>(
    plug: NamedPlug<A>,
    client: Client
) where A.Input == Void, A.Output == Void {
    plug <~ { _ in try await client.send(A.self) }
}
