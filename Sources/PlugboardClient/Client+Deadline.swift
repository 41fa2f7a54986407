import HTTPTransport
import HTTPTypes

extension Client {
    /// Returns a client whose calls end after a time, at the latest.
    ///
    /// ```swift
    /// let likes = try await client.within(.seconds(2)).send(LikePhoto.self, .init(id: 42))
    /// ```
    /// The server receives the time as `Request-Timeout`, so that it stops work for a client that no
    /// longer waits. A streamed response ends the time with its head.
    public func within(_ timeout: Duration) -> Client {
        var client = self
        client.timeout = timeout
        return client
    }

    /// Runs an exchange within the client's time.
    ///
    /// - Throws: `ClientError` of kind `timedOut` after it.
    func limited<Result: Sendable>(
        _ request: HTTPRequest,
        _ send: @escaping @Sendable (HTTPRequest) async throws -> Result
    ) async throws -> Result {
        guard let timeout else { return try await send(request) }
        var request = request
        if let name = HTTPField.Name.requestTimeout, !request.headerFields.contains(name) {
            request.headerFields[name] = RequestBytes.timeoutText(timeout)
        }
        return try await withThrowingTaskGroup(of: Result.self) { [request] group in
            group.addTask { try await send(request) }
            group.addTask {
                try await Task.sleep(for: timeout)
                throw ClientError(.timedOut, "The server did not respond within \(timeout)")
            }
            defer { group.cancelAll() }
            guard let result = try await group.next() else { throw CancellationError() }
            return result
        }
    }
}
