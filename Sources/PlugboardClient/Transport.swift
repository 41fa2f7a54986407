public import HTTPTypes

/// What carries a client's requests.
///
/// The default is `URLSession` on Apple's platforms and ``SocketTransport`` elsewhere. Another one
/// answers from a test, signs requests or counts them.
public protocol Transport: Sendable {
    /// Sends a request and gives the response once it is whole.
    ///
    /// The request has its scheme, authority and path. A response of any status is no error.
    ///
    /// - Throws: ``ClientError``, or `CancellationError` once the task is cancelled.
    func send(_ request: HTTPRequest, body: [UInt8]) async throws -> (HTTPResponse, [UInt8])
}

/// What takes a response's body piece by piece, as it comes; what it throws ends the exchange.
package typealias BodySink = @Sendable ([UInt8]) throws -> Void

/// What gives a request's body piece by piece, as it is sent, and nil behind the last.
///
/// What it throws ends the exchange, of which the server has a part then.
package typealias BodySource = @Sendable () throws -> [UInt8]?

/// A transport that gives a response's body as it comes, or takes a request's.
protocol StreamingTransport: Transport {
    /// Sends a request and gives a success's body to `sink`, however large it is: it takes as long as
    /// it takes, as long as something comes. A response of another status has its body.
    ///
    /// - Throws: ``ClientError``, also where the body breaks off; what `sink` throws; or
    ///   `CancellationError` once the task is cancelled.
    func send(
        _ request: HTTPRequest,
        body: [UInt8],
        into sink: @escaping BodySink
    ) async throws -> (HTTPResponse, [UInt8])

    /// Sends a request whose body comes from `source`, however large it is, and gives the response once
    /// it is whole: it takes as long as it takes, as long as something goes out.
    ///
    /// - Throws: ``ClientError``; what `source` throws; or `CancellationError` once the task is cancelled.
    func send(
        _ request: HTTPRequest,
        from source: @escaping BodySource
    ) async throws -> (HTTPResponse, [UInt8])
}

extension Transport {
    /// The one of the three that is asked for: a body that is streamed goes with an answer that isn't.
    func send(
        _ request: HTTPRequest,
        body: [UInt8],
        from source: BodySource?,
        into sink: BodySink?
    ) async throws -> (HTTPResponse, [UInt8]) {
        if let source { return try await send(request, from: source) }
        return try await send(request, body: body, into: sink)
    }

    /// The same as ``send(_:body:)`` with a body that comes from `source`: in one piece where the
    /// transport takes it so.
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

    /// The same as ``send(_:body:)`` without a sink; with one a success's body goes there, whole where
    /// the transport gives it whole.
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

/// The transport that a client has where nothing else is asked.
enum PlatformTransport {
    #if canImport(Darwin)
    static let shared: any Transport = URLSessionTransport()
    #else
    static let shared: any Transport = SocketTransport()
    #endif
}
