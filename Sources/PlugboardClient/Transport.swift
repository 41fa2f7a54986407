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

/// A transport that gives a response's body as it comes.
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
}

extension Transport {
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
