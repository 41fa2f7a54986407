import HTTPTypes
public import Plugboard
public import PlugboardClient

extension Server {
    /// Runs a test with a client of this server, in memory, without a socket or a thread.
    ///
    /// ```swift
    /// try await server.test { client in
    ///     let likes = try await client.send(LikePhoto.self, .init(id: 42))
    ///     #expect(likes.likes == 1)
    /// }
    /// ```
    /// The server's own parser reads the requests' bytes. They pass its middleware, routes and
    /// actions as they would on the wire, after its preparation. An action runs in the task that
    /// calls it, with the plugs of the surrounding `Actions.withPlugs`. An action without a plug
    /// fails its call, not the server's start.
    ///
    /// - Throws: ``StartError`` with all of the server's start-up errors, or the test's error.
    public func test<Result>(
        _ body: (Client) async throws -> Result,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> Result {
        let transport = MemoryTransport(site: try inMemory())
        try await preparation?()
        return try await body(Client("http://localhost", transport: transport))
    }

    /// Returns an in-memory transport to this server, for a client with fields of its own.
    ///
    /// - Throws: ``StartError`` with all of the server's start-up errors.
    public func memoryTransport() throws -> any Transport {
        MemoryTransport(site: try inMemory())
    }
}

/// A transport that passes requests to a server in memory.
private struct MemoryTransport: Transport {
    let site: InMemoryServer

    func send(_ request: HTTPRequest, body: [UInt8]) async throws -> (HTTPResponse, [UInt8]) {
        try Task.checkCancellation()
        return try await site.answer(RequestBytes.encode(request, body: body))
    }
}
