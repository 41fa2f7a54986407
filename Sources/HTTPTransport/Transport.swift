public import HTTPTypes

/// The transport of a client's requests.
///
/// The default is `URLSession` on Apple's platforms and ``SocketTransport`` elsewhere. Other
/// transports can return test responses, or sign or count requests.
public protocol Transport: Sendable {
    /// Sends a request and returns the complete response.
    ///
    /// The request has its scheme, authority and path. A response of any status is returned, not
    /// thrown.
    ///
    /// - Throws: ``ClientError``, or `CancellationError` once the task is cancelled.
    func send(_ request: HTTPRequest, body: [UInt8]) async throws -> (HTTPResponse, [UInt8])
}

/// Receives a response's body piece by piece; an error ends the exchange.
package typealias BodySink = @Sendable ([UInt8]) throws -> Void

/// Returns the next piece of a request's body, and nil after the last.
///
/// An error ends the exchange; the server has received part of the body by then.
package typealias BodySource = @Sendable () throws -> [UInt8]?

/// A transport that streams response bodies and request bodies.
package protocol StreamingTransport: Transport {
    /// Sends a request and streams a success's body of any size to `sink`.
    ///
    /// The timeout applies to each piece, not to the whole body. Responses of other statuses are
    /// returned with their body.
    ///
    /// - Throws: ``ClientError``, also for an incomplete body; the error of `sink`; or
    ///   `CancellationError` once the task is cancelled.
    func send(
        _ request: HTTPRequest,
        body: [UInt8],
        into sink: @escaping BodySink
    ) async throws -> (HTTPResponse, [UInt8])

    /// Sends a request with a body of any size from `source`, and returns the complete response.
    ///
    /// The timeout applies to each piece, not to the whole body.
    ///
    /// - Throws: ``ClientError``; the error of `source`; or `CancellationError` once the task is
    ///   cancelled.
    func send(
        _ request: HTTPRequest,
        from source: @escaping BodySource
    ) async throws -> (HTTPResponse, [UInt8])
}

extension Transport {
    /// Sends with a source, a sink or neither; a streamed request's response isn't streamed.
    package func send(
        _ request: HTTPRequest,
        body: [UInt8],
        from source: BodySource?,
        into sink: BodySink?
    ) async throws -> (HTTPResponse, [UInt8]) {
        if let source { return try await send(request, from: source) }
        return try await send(request, body: body, into: sink)
    }

    /// Sends a request with a body from `source`.
    ///
    /// The body is collected first if the transport doesn't support streaming.
    func send(
        _ request: HTTPRequest,
        from source: @escaping BodySource
    ) async throws -> (HTTPResponse, [UInt8]) {
        if let streaming = self as? any StreamingTransport {
            return try await streaming.send(request, from: source)
        }
        var body: [UInt8] = []
        while let piece = try source() { body += piece }
        return try await send(request, body: body)
    }

    /// Sends a request and passes a success's body to `sink`, if there is one.
    ///
    /// The sink gets the body in one piece if the transport doesn't support streaming.
    func send(
        _ request: HTTPRequest,
        body: [UInt8],
        into sink: BodySink?
    ) async throws -> (HTTPResponse, [UInt8]) {
        guard let sink else { return try await send(request, body: body) }
        if let streaming = self as? any StreamingTransport {
            return try await streaming.send(request, body: body, into: sink)
        }
        let (response, answer) = try await send(request, body: body)
        guard response.status.kind == .successful else { return (response, answer) }
        try sink(answer)
        return (response, [])
    }
}

/// The default transport of clients.
package enum PlatformTransport {
    #if canImport(Darwin)
    package static let shared: any Transport = URLSessionTransport()
    #else
    package static let shared: any Transport = SocketTransport()
    #endif
}
