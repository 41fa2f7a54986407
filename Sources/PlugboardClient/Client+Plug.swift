public import Plug
public import PlugHTTP

/// Wires an action to a server: an input to an output.
public func <~ <A: ActionProtocol>(
    action: A.Type,
    client: Client
) where A.Input: Encodable, A.Output: Decodable {
    action <~ { input in try await client.send(action, input) }
}

/// Wires an action to a server: an input to no output.
public func <~ <A: ActionProtocol>(
    action: A.Type,
    client: Client
) where A.Input: Encodable, A.Output == Void {
    action <~ { input in try await client.send(action, input) }
}

/// Wires an action to a server: an input to a body of any media type.
public func <~ <A: ActionProtocol>(
    action: A.Type,
    client: Client
) where A.Input: Encodable, A.Output == ResponseBody {
    action <~ { input in try await client.send(action, input) }
}

/// Wires an action to a server: an input to events.
public func <~ <A: ActionProtocol>(
    action: A.Type,
    client: Client
) where A.Input: Encodable, A.Output == EventStream {
    action <~ { input in try await client.send(action, input) }
}

/// Wires an action to a server: an input to a stream of values.
public func <~ <A: ActionProtocol>(
    action: A.Type,
    client: Client
) where A.Input: Encodable, A.Output: StreamedOutput, A.Output.Element: Decodable & Sendable {
    action <~ { input in try await client.send(action, input) }
}

/// Wires an action to a server: an input to an `AsyncStream`.
///
/// A connection that breaks ends the stream, because this type can't throw.
public func <~ <A: ActionProtocol, Element>(
    action: A.Type,
    client: Client
) where A.Input: Encodable, A.Output == AsyncStream<Element>, Element: Decodable & Sendable {
    action <~ { input in AsyncStream.streaming(try await client.send(action, input)) }
}

/// Wires an action to a server: no input to an output.
public func <~ <A: ActionProtocol>(
    action: A.Type,
    client: Client
) where A.Input == Void, A.Output: Decodable {
    action <~ { _ in try await client.send(action) }
}

/// Wires an action to a server: no input to no output.
public func <~ <A: ActionProtocol>(
    action: A.Type,
    client: Client
) where A.Input == Void, A.Output == Void {
    action <~ { _ in try await client.send(action) }
}

/// Wires an action to a server: no input to a body of any media type.
public func <~ <A: ActionProtocol>(
    action: A.Type,
    client: Client
) where A.Input == Void, A.Output == ResponseBody {
    action <~ { _ in try await client.send(action) }
}

/// Wires an action to a server: no input to events.
public func <~ <A: ActionProtocol>(
    action: A.Type,
    client: Client
) where A.Input == Void, A.Output == EventStream {
    action <~ { _ in try await client.send(action) }
}

/// Wires an action to a server: no input to a stream of values.
public func <~ <A: ActionProtocol>(
    action: A.Type,
    client: Client
) where A.Input == Void, A.Output: StreamedOutput, A.Output.Element: Decodable & Sendable {
    action <~ { _ in try await client.send(action) }
}

/// Wires an action to a server: no input to an `AsyncStream`.
///
/// A connection that breaks ends the stream, because this type can't throw.
public func <~ <A: ActionProtocol, Element>(
    action: A.Type,
    client: Client
) where A.Input == Void, A.Output == AsyncStream<Element>, Element: Decodable & Sendable {
    action <~ { _ in AsyncStream.streaming(try await client.send(action)) }
}

/// Wires an action to a server: a body to an output.
public func <~ <A: ActionProtocol>(
    action: A.Type,
    client: Client
) where A.Input == RequestBody, A.Output: Decodable {
    action <~ { body in try await client.send(action, body) }
}

/// Wires an action to a server: a body to no output.
public func <~ <A: ActionProtocol>(
    action: A.Type,
    client: Client
) where A.Input == RequestBody, A.Output == Void {
    action <~ { body in try await client.send(action, body) }
}

/// Wires an action to a server: a body to a body of any media type.
public func <~ <A: ActionProtocol>(
    action: A.Type,
    client: Client
) where A.Input == RequestBody, A.Output == ResponseBody {
    action <~ { body in try await client.send(action, body) }
}

/// Wires an action to a server: a body to events.
public func <~ <A: ActionProtocol>(
    action: A.Type,
    client: Client
) where A.Input == RequestBody, A.Output == EventStream {
    action <~ { body in try await client.send(action, body) }
}

/// Wires an action to a server: a body to a stream of values.
public func <~ <A: ActionProtocol>(
    action: A.Type,
    client: Client
) where A.Input == RequestBody, A.Output: StreamedOutput, A.Output.Element: Decodable & Sendable {
    action <~ { body in try await client.send(action, body) }
}

/// Wires an action to a server: a body to an `AsyncStream`.
///
/// A connection that breaks ends the stream, because this type can't throw.
public func <~ <A: ActionProtocol, Element>(
    action: A.Type,
    client: Client
) where A.Input == RequestBody, A.Output == AsyncStream<Element>, Element: Decodable & Sendable {
    action <~ { body in AsyncStream.streaming(try await client.send(action, body)) }
}
