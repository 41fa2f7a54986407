public import Plug
public import PlugHTTP

/// Plugs a server under a name: an input to an output.
public func <~ <A: ActionProtocol>(
    plug: NamedPlug<A>,
    client: Client
) where A.Input: Encodable, A.Output: Decodable {
    plug <~ { input in try await client.send(A.self, input) }
}

/// Plugs a server under a name: an input to no output.
public func <~ <A: ActionProtocol>(
    plug: NamedPlug<A>,
    client: Client
) where A.Input: Encodable, A.Output == Void {
    plug <~ { input in try await client.send(A.self, input) }
}

/// Plugs a server under a name: an input to a body of any media type.
public func <~ <A: ActionProtocol>(
    plug: NamedPlug<A>,
    client: Client
) where A.Input: Encodable, A.Output == ResponseBody {
    plug <~ { input in try await client.send(A.self, input) }
}

/// Plugs a server under a name: an input to events.
public func <~ <A: ActionProtocol>(
    plug: NamedPlug<A>,
    client: Client
) where A.Input: Encodable, A.Output == EventStream {
    plug <~ { input in try await client.send(A.self, input) }
}

/// Plugs a server under a name: an input to a stream of values.
public func <~ <A: ActionProtocol>(
    plug: NamedPlug<A>,
    client: Client
) where A.Input: Encodable, A.Output: StreamedOutput, A.Output.Element: Decodable & Sendable {
    plug <~ { input in try await client.send(A.self, input) }
}

/// Plugs a server under a name: an input to an `AsyncStream`.
///
/// A connection that breaks ends the stream, because this type can't throw.
public func <~ <A: ActionProtocol, Element>(
    plug: NamedPlug<A>,
    client: Client
) where A.Input: Encodable, A.Output == AsyncStream<Element>, Element: Decodable & Sendable {
    plug <~ { input in AsyncStream.streaming(try await client.send(A.self, input)) }
}

/// Plugs a server under a name: no input to an output.
public func <~ <A: ActionProtocol>(
    plug: NamedPlug<A>,
    client: Client
) where A.Input == Void, A.Output: Decodable {
    plug <~ { _ in try await client.send(A.self) }
}

/// Plugs a server under a name: no input to no output.
public func <~ <A: ActionProtocol>(
    plug: NamedPlug<A>,
    client: Client
) where A.Input == Void, A.Output == Void {
    plug <~ { _ in try await client.send(A.self) }
}

/// Plugs a server under a name: no input to a body of any media type.
public func <~ <A: ActionProtocol>(
    plug: NamedPlug<A>,
    client: Client
) where A.Input == Void, A.Output == ResponseBody {
    plug <~ { _ in try await client.send(A.self) }
}

/// Plugs a server under a name: no input to events.
public func <~ <A: ActionProtocol>(
    plug: NamedPlug<A>,
    client: Client
) where A.Input == Void, A.Output == EventStream {
    plug <~ { _ in try await client.send(A.self) }
}

/// Plugs a server under a name: no input to a stream of values.
public func <~ <A: ActionProtocol>(
    plug: NamedPlug<A>,
    client: Client
) where A.Input == Void, A.Output: StreamedOutput, A.Output.Element: Decodable & Sendable {
    plug <~ { _ in try await client.send(A.self) }
}

/// Plugs a server under a name: no input to an `AsyncStream`.
///
/// A connection that breaks ends the stream, because this type can't throw.
public func <~ <A: ActionProtocol, Element>(
    plug: NamedPlug<A>,
    client: Client
) where A.Input == Void, A.Output == AsyncStream<Element>, Element: Decodable & Sendable {
    plug <~ { _ in AsyncStream.streaming(try await client.send(A.self)) }
}

/// Plugs a server under a name: a body to an output.
public func <~ <A: ActionProtocol>(
    plug: NamedPlug<A>,
    client: Client
) where A.Input == RequestBody, A.Output: Decodable {
    plug <~ { body in try await client.send(A.self, body) }
}

/// Plugs a server under a name: a body to no output.
public func <~ <A: ActionProtocol>(
    plug: NamedPlug<A>,
    client: Client
) where A.Input == RequestBody, A.Output == Void {
    plug <~ { body in try await client.send(A.self, body) }
}

/// Plugs a server under a name: a body to a body of any media type.
public func <~ <A: ActionProtocol>(
    plug: NamedPlug<A>,
    client: Client
) where A.Input == RequestBody, A.Output == ResponseBody {
    plug <~ { body in try await client.send(A.self, body) }
}

/// Plugs a server under a name: a body to events.
public func <~ <A: ActionProtocol>(
    plug: NamedPlug<A>,
    client: Client
) where A.Input == RequestBody, A.Output == EventStream {
    plug <~ { body in try await client.send(A.self, body) }
}

/// Plugs a server under a name: a body to a stream of values.
public func <~ <A: ActionProtocol>(
    plug: NamedPlug<A>,
    client: Client
) where A.Input == RequestBody, A.Output: StreamedOutput, A.Output.Element: Decodable & Sendable {
    plug <~ { body in try await client.send(A.self, body) }
}

/// Plugs a server under a name: a body to an `AsyncStream`.
///
/// A connection that breaks ends the stream, because this type can't throw.
public func <~ <A: ActionProtocol, Element>(
    plug: NamedPlug<A>,
    client: Client
) where A.Input == RequestBody, A.Output == AsyncStream<Element>, Element: Decodable & Sendable {
    plug <~ { body in AsyncStream.streaming(try await client.send(A.self, body)) }
}
