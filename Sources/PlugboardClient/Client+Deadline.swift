import HTTPTransport
import HTTPTypes

extension Client {
    /// Returns a client whose calls end after a time, at the latest.
    ///
    /// ```swift
    /// let likes = try await client.within(.seconds(2)).send(LikePhoto.self, .init(id: 42))
    /// ```
    /// The time includes all attempts of a `RetryingTransport`. The server receives it as
    /// `Request-Timeout`, so that it stops work for a client that no longer waits. A streamed
    /// response ends the time with its head. A call within a server's action also ends with the
    /// action's own timeout.
    public func within(_ timeout: Duration) -> Client {
        var client = self
        client.timeout = timeout
        return client
    }

    /// Runs an exchange within the client's time and the current task's deadline.
    ///
    /// - Throws: `ClientError` of kind `timedOut` after it.
    func limited<Result: Sendable>(
        _ request: HTTPRequest,
        _ send: @escaping @Sendable (HTTPRequest) async throws -> Result
    ) async throws -> Result {
        let limits = [timeout, CallDeadline.remaining].compactMap(\.self)
        guard let limit = limits.min() else { return try await send(request) }
        guard limit > .zero else { throw Self.late(limit) }
        var request = request
        if let name = HTTPField.Name.requestTimeout, !request.headerFields.contains(name) {
            request.headerFields[name] = RequestBytes.timeoutText(limit)
        }
        return try await CallDeadline.within(limit) { [request] in
            try await Self.race(request, limit, send)
        }
    }

    /// Returns the result of a request, or cancels the request at the limit.
    private static func race<Result: Sendable>(
        _ request: HTTPRequest,
        _ limit: Duration,
        _ send: @escaping @Sendable (HTTPRequest) async throws -> Result
    ) async throws -> Result {
        // The timer returns nil.
        try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask { try await send(request) }
            group.addTask {
                try await Task.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            if let result = try await group.next() ?? nil { return result }
            group.cancelAll()
            // A transport may have a result without the server, such as a stored response.
            let last = try? await group.next() ?? nil
            try Task.checkCancellation()
            guard let last else { throw late(limit) }
            return last
        }
    }

    private static func late(_ limit: Duration) -> ClientError {
        ClientError(.timedOut, "The server did not respond within \(limit)")
    }
}
