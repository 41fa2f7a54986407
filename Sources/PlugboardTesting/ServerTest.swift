import HTTPTypes
public import Plugboard
public import PlugboardClient

extension Server {
    /// Runs a test with a client of this server, in memory: no socket is opened, no thread is made.
    ///
    /// ```swift
    /// try await server.test { client in
    ///     let likes = try await client.send(LikePhoto.self, .init(id: 42))
    ///     #expect(likes.likes == 1)
    /// }
    /// ```
    /// Requests are bytes that the server's own parser reads, and go through its middleware, its
    /// routes and its actions as they would on the wire, once its preparation is done. An action is
    /// performed in the task that calls it, with the plugs of `Actions.withPlugs` around it. One
    /// that nothing is plugged to fails its call and not the server's start.
    ///
    /// - Throws: ``StartError`` with all that keeps the server from starting, and what the test
    ///   throws.
    public func test<Result>(
        _ body: (Client) async throws -> Result,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> Result {
        let transport = MemoryTransport(site: try inMemory())
        try await preparation?()
        return try await body(Client("http://localhost", transport: transport))
    }

    /// A transport to this server in memory, for a client with fields of its own.
    ///
    /// - Throws: ``StartError`` with all that keeps the server from starting.
    public func memoryTransport() throws -> any Transport {
        MemoryTransport(site: try inMemory())
    }
}

/// What carries requests to a server in memory.
private struct MemoryTransport: Transport {
    let site: MemorySite

    func send(_ request: HTTPRequest, body: [UInt8]) async throws -> (HTTPResponse, [UInt8]) {
        try Task.checkCancellation()
        return try await site.answer(RequestBytes.encode(request, body: body))
    }
}
