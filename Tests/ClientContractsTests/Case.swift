import Locking
import PlugboardClient
import Plugboard
import Testing

/// A contract with an input, called in this process and over a socket.
struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let exposed: [ExposedAction]
    /// Calls the action both ways and compares inputs and outputs.
    let run: @Sendable (Client) async throws -> Void

    var testDescription: String { name }
}

/// The last input that an action received.
final class Received<Input: Sendable>: Sendable {
    private let input = Locked<Input?>(nil)

    func store(_ value: Input) { input.withLock { $0 = value } }

    func take() -> Input? {
        input.withLock { input in
            defer { input = nil }
            return input
        }
    }
}

extension Case {
    /// An action whose output is a value.
    static func value<A: ActionProtocol>(
        _ name: String,
        _ action: A.Type,
        _ input: A.Input,
        _ perform: @escaping @Sendable (A.Input) throws -> A.Output
    ) -> Case where A.Input: Codable & Equatable, A.Output: Codable & Equatable {
        let received = Received<A.Input>()
        action <~ { input in
            received.store(input)
            return try perform(input)
        }
        return Case(name: name, exposed: ActionsBuilder.buildExpression(action)) { client in
            let here = try await performed(action, input)
            let expected = received.take()
            let there = try await client.send(action, input)
            #expect(received.take() == expected)
            #expect(there == here)
        }
    }

    /// An action that returns its input.
    static func echo<A: ActionProtocol>(
        _ name: String,
        _ action: A.Type,
        _ input: A.Input
    ) -> Case where A.Input: Codable & Equatable, A.Output == A.Input {
        value(name, action, input) { $0 }
    }

    /// An action without input whose output is a value.
    static func value<A: ActionProtocol>(
        _ name: String,
        _ action: A.Type,
        _ output: A.Output
    ) -> Case where A.Input == Void, A.Output: Codable & Equatable {
        action <~ { output }
        return Case(name: name, exposed: ActionsBuilder.buildExpression(action)) { client in
            let there = try await client.send(action)
            #expect(there == output)
        }
    }

    /// An action without output.
    static func none<A: ActionProtocol>(
        _ name: String,
        _ action: A.Type,
        _ input: A.Input
    ) -> Case where A.Input: Codable & Equatable, A.Output == Void {
        let received = Received<A.Input>()
        action <~ { input in received.store(input) }
        return Case(name: name, exposed: ActionsBuilder.buildExpression(action)) { client in
            try await performed(action, input)
            let expected = received.take()
            try await client.send(action, input)
            #expect(received.take() == expected)
        }
    }

    /// An action without input and output.
    static func none<A: ActionProtocol>(
        _ name: String,
        _ action: A.Type
    ) -> Case where A.Input == Void, A.Output == Void {
        let calls = Locked(0)
        action <~ { calls.withLock { $0 += 1 } }
        return Case(name: name, exposed: ActionsBuilder.buildExpression(action)) { client in
            try await client.send(action)
            #expect(calls.withLock { $0 } == 1)
        }
    }

    /// An action without input whose output is a body.
    static func body<A: ActionProtocol>(
        _ name: String,
        _ action: A.Type,
        _ output: @escaping @Sendable () -> ResponseBody
    ) -> Case where A.Input == Void, A.Output == ResponseBody {
        action <~ { output() }
        return Case(name: name, exposed: ActionsBuilder.buildExpression(action)) { client in
            let here = try await performed(action)
            let there = try await client.send(action)
            #expect(there.mediaType == here.mediaType)
            let (left, right) = (try await bytes(there), try await bytes(here))
            #expect(left == right)
        }
    }

    /// An action with an input whose output is a body.
    static func body<A: ActionProtocol>(
        _ name: String,
        _ action: A.Type,
        _ input: A.Input,
        _ output: @escaping @Sendable (A.Input) -> ResponseBody
    ) -> Case where A.Input: Codable, A.Output == ResponseBody {
        action <~ { output($0) }
        return Case(name: name, exposed: ActionsBuilder.buildExpression(action)) { client in
            let here = try await bytes(try await performed(action, input))
            let there = try await bytes(try await client.send(action, input))
            #expect(there == here)
        }
    }

    /// An action without input whose output is a stream of events.
    static func events<A: ActionProtocol>(
        _ name: String,
        _ action: A.Type,
        _ events: [ServerSentEvent]
    ) -> Case where A.Input == Void, A.Output == EventStream {
        action <~ { EventStream(stream(events)) }
        return Case(name: name, exposed: ActionsBuilder.buildExpression(action)) { client in
            let there = try await collect(client.send(action))
            #expect(there == events)
        }
    }

    /// An action with an input whose output is a stream of events.
    static func events<A: ActionProtocol>(
        _ name: String,
        _ action: A.Type,
        _ input: A.Input,
        _ events: @escaping @Sendable (A.Input) -> [ServerSentEvent]
    ) -> Case where A.Input: Codable, A.Output == EventStream {
        action <~ { EventStream(stream(events($0))) }
        return Case(name: name, exposed: ActionsBuilder.buildExpression(action)) { client in
            let there = try await collect(client.send(action, input))
            #expect(there == events(input))
        }
    }

    /// An action with a body whose output is a value.
    static func upload<A: ActionProtocol>(
        _ name: String,
        _ action: A.Type,
        _ input: @escaping @Sendable () throws -> RequestBody,
        _ perform: @escaping @Sendable (RequestBody) async throws -> A.Output
    ) -> Case where A.Input == RequestBody, A.Output: Codable & Equatable {
        action <~ { try await perform($0) }
        return Case(name: name, exposed: ActionsBuilder.buildExpression(action)) { client in
            let here = try await performed(action, input())
            let there = try await client.send(action, input())
            #expect(there == here)
        }
    }
}

/// Returns a body's bytes.
func bytes(_ body: some AsyncSequence<[UInt8], any Error>) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    for try await piece in body { bytes += piece }
    return bytes
}

/// Returns the elements of a stream.
func collect<S: AsyncSequence>(_ values: S) async throws -> [S.Element] {
    var all: [S.Element] = []
    for try await value in values { all.append(value) }
    return all
}

/// Returns a stream of values.
func stream<Value: Sendable>(_ values: [Value]) -> AsyncStream<Value> {
    AsyncStream { continuation in
        for value in values { continuation.yield(value) }
        continuation.finish()
    }
}

/// Performs an action in this process.
private func performed<A: ActionProtocol>(
    _ action: A.Type,
    _ input: A.Input
) async throws -> A.Output { try await Plug.action(action, input) }

private func performed<A: ActionProtocol>(_ action: A.Type) async throws -> A.Output
where A.Input == Void { try await Plug.action(action) }
