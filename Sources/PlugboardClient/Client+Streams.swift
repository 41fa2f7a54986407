import HTTPSyntax
import HTTPTypes
import JSONCodec
public import Plug
public import PlugHTTP

extension Client {
    /// Performs an action on the server and returns its values, over one connection after the other.
    ///
    /// ```swift
    /// for try await likes in try await client.follow(WatchLikes.self, .init(id: 42)) { show(likes) }
    /// ```
    /// The values arrive as events. ``reconnection`` continues a stream whose connection broke, after
    /// the last event's id (`IdentifiedEvent`).
    /// - Throws: The action's `DeclaredProblem`, another `Problem` of the server, `ClientError`,
    ///   or `CancellationError`.
    public func follow<A: ActionProtocol>(
        _ action: A.Type,
        _ input: A.Input
    ) async throws -> JSONLines<A.Output.Element>
    where
        A.Input: Encodable,
        A.Output: AsyncSequence & Sendable,
        A.Output.Element: Decodable & Sendable
    {
        try await follow(action, .value(json(of: input)))
    }

    /// Performs an action without input and returns its values, over one connection after the other.
    ///
    /// - Throws: The action's `DeclaredProblem`, another `Problem` of the server, `ClientError`,
    ///   or `CancellationError`.
    public func follow<A: ActionProtocol>(
        _ action: A.Type
    ) async throws -> JSONLines<A.Output.Element>
    where
        A.Input == Void,
        A.Output: AsyncSequence & Sendable,
        A.Output.Element: Decodable & Sendable
    {
        try await follow(action, ActionInput.nothing)
    }

    private func follow<Value: Decodable & Sendable>(
        _ action: any ActionProtocol.Type,
        _ input: ActionInput
    ) async throws -> JSONLines<Value> {
        let events = SingleReader(try await events(of: action, input))
        return JSONLines {
            guard let event = try await events.next() else { return nil }
            do {
                return try JSON.decode(Value.self, from: Array(event.data.utf8))
            } catch {
                throw ClientError(
                    .invalidResponse,
                    "An event of the response is not of type \(Value.self): \(error)"
                )
            }
        }
    }

    /// Performs an action whose output is a body of any media type.
    func responseBody(
        of action: any ActionProtocol.Type,
        _ input: ActionInput
    ) async throws -> ResponseBody {
        let type = (action as? any Endpoint.Type)?.mediaType ?? "*/*"
        let accept = "\(type), \(Problem.mediaType)"
        let (response, pieces) = try await open(action, input, accept: accept)
        var body = ResponseBody(
            mediaType: response.headerFields[.contentType] ?? "application/octet-stream"
        ) {
            var iterator = pieces.makeAsyncIterator()
            return try await iterator.next()
        }
        body.length = response.headerFields[.contentLength].flatMap { Int($0) }
        return body
    }

    /// Performs an action whose output is a stream of events.
    func events(
        of action: any ActionProtocol.Type,
        _ input: ActionInput
    ) async throws -> EventStream {
        let connection = EventConnection(reconnection) { lastID in
            // A field can't carry a line break, and an event's id has none.
            let fields: HTTPFields = lastID.map { [.lastEventID: $0] } ?? [:]
            return try await open(
                action,
                input,
                accept: "text/event-stream, \(Problem.mediaType)",
                fields: fields
            )
        }
        // A body of pieces can be sent once.
        if let body = input.body, body.bytes == nil { await connection.setFinal() }
        try await connection.connect()
        return EventStream { try await connection.next() }
    }

    /// Performs an action whose output is a stream of values, and returns its iteration.
    func values<Value: Decodable & Sendable>(
        _ type: Value.Type,
        of action: any ActionProtocol.Type,
        _ input: ActionInput
    ) async throws -> @Sendable () async throws -> Value? {
        let accept = "application/jsonl, application/x-ndjson;q=0.9, \(Problem.mediaType)"
        let (response, pieces) = try await open(action, input, accept: accept)
        let media = response.headerFields[.contentType].map(MediaType.essence)
        guard media == "application/jsonl" || media == "application/x-ndjson" else {
            throw ClientError(
                .invalidResponse,
                "The response is \(media ?? "of no media type"), not lines of JSON"
            )
        }
        let lines = LineReader(pieces)
        return {
            while let line = try await lines.next() {
                // A heartbeat is white space before the next value.
                guard line.contains(where: { $0 != 0x20 && $0 != 0x0D }) else { continue }
                do {
                    return try JSON.decodeResponse(type, from: line)
                } catch {
                    throw ClientError(
                        .invalidResponse,
                        "A line of the response is not of type \(type): \(error)"
                    )
                }
            }
            return nil
        }
    }
}

extension HTTPField.Name {
    /// The id of the last event that a client received (HTML Standard §9.2.4).
    static let lastEventID = HTTPField.Name("Last-Event-ID") ?? .ifMatch
}
