import HTTPTypes
public import PlugHTTP
public import Plugboard
public import PlugboardClient

extension Server {
    /// Runs a test with a client of this server, in memory, without a socket or a thread.
    ///
    /// ```swift
    /// let ada = Caller(id: "1", name: "ada", scopes: ["photos:write"])
    /// try await server.test(as: ada) { client in
    ///     let likes = try await client.send(LikePhoto.self, .init(id: 42))
    ///     #expect(likes.likes == 1)
    /// }
    /// ```
    /// The server's own parser reads the requests' bytes. They pass its middleware, routes and
    /// actions as they would on the wire, after its preparation. An action runs in the task that
    /// calls it, with the plugs of the surrounding `Actions.withPlugs`. An action without a plug
    /// fails its call, not the server's start.
    ///
    /// All requests have the given caller, without credentials and without a store of tokens. It
    /// also has the scopes that its own imply. Scopes, limits per caller, keys and audits apply to
    /// it. Without a caller requests are anonymous, unless they have credentials.
    /// ``PlugboardClient/Client/as(_:)`` makes a client for another caller.
    ///
    /// - Throws: ``StartError`` with all of the server's start-up errors, or the test's error.
    public func test<Result>(
        as caller: Caller? = nil,
        _ body: (Client) async throws -> Result,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> Result {
        let transport = MemoryTransport(site: try inMemory(), caller: caller)
        try await preparation?()
        return try await body(Client("http://localhost", transport: transport))
    }

    /// Returns an in-memory transport to this server, for a client with fields of its own.
    ///
    /// - Throws: ``StartError`` with all of the server's start-up errors.
    public func memoryTransport(as caller: Caller? = nil) throws -> any Transport {
        MemoryTransport(site: try inMemory(), caller: caller)
    }
}

extension Client {
    /// Returns a client of the same test server whose requests have another caller.
    ///
    /// ```swift
    /// await #expect(throws: Problem.self) { try await client.as(bob).send(DeletePhoto.self, photo) }
    /// ```
    /// With nil its requests are anonymous. Only the client of `server.test` can change its caller:
    /// the calls of any other throw ``ForeignClient``.
    public func `as`(_ caller: Caller?) -> Client {
        var client = self
        if let memory = transport as? MemoryTransport {
            client.transport = MemoryTransport(site: memory.site, caller: caller)
        } else {
            client.transport = ForeignTransport()
        }
        return client
    }
}

/// The error of a client that can't change its caller, since it isn't one of `server.test`.
public struct ForeignClient: Error, CustomStringConvertible {
    /// The message for people.
    public var description: String {
        "as(_:) changes the caller of a client of server.test only: give this client a token"
    }
}

/// A transport that passes requests to a server in memory.
private struct MemoryTransport: Transport {
    let site: InMemoryServer
    let caller: Caller?

    func send(_ request: HTTPRequest, body: [UInt8]) async throws -> (HTTPResponse, [UInt8]) {
        try Task.checkCancellation()
        return try await site.answer(RequestBytes.encode(request, body: body), as: caller)
    }

    func stream(
        _ request: HTTPRequest,
        body: TransportBody
    ) async throws -> (HTTPResponse, BodyPieces) {
        try Task.checkCancellation()
        let bytes = try await RequestBytes.encode(request, body: body.collect())
        let (response, next) = try await site.open(bytes, as: caller)
        return (response, BodyPieces(next: next))
    }
}

/// A transport of a client whose caller can't be changed.
private struct ForeignTransport: Transport {
    func send(_ request: HTTPRequest, body: [UInt8]) async throws -> (HTTPResponse, [UInt8]) {
        throw ForeignClient()
    }
}
