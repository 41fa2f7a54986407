public import HTTPTypes

/// The transport of a client's requests.
///
/// ``PlatformTransport`` is the default on all platforms. Other transports are functions around one:
/// they retry, sign, cache, record or count requests.
/// ```swift
/// struct Counting: Transport {
///     let base: any Transport
///     func send(_ request: HTTPRequest, body: [UInt8]) async throws -> (HTTPResponse, [UInt8]) {
///         sent.increment()
///         return try await base.send(request, body: body)
///     }
/// }
/// ```
public protocol Transport: Sendable {
    /// Sends a request and returns the complete response.
    ///
    /// The request has its scheme, authority and path. A response of any status is returned, not
    /// thrown.
    ///
    /// - Throws: ``ClientError``, or `CancellationError` once the task is cancelled.
    func send(_ request: HTTPRequest, body: [UInt8]) async throws -> (HTTPResponse, [UInt8])

    /// Sends a request and returns the response after its head; both bodies may have any size.
    ///
    /// The timeout applies to each piece, not to the whole body. A response may arrive before the
    /// request's body is sent; the rest is sent while the caller reads. Releasing the pieces ends
    /// the exchange.
    ///
    /// The default collects both bodies and calls ``send(_:body:)``.
    ///
    /// - Throws: ``ClientError``, the error of a piece of the body, or `CancellationError` once the
    ///   task is cancelled.
    func stream(
        _ request: HTTPRequest,
        body: TransportBody
    ) async throws -> (HTTPResponse, BodyPieces)
}

extension Transport {
    /// Sends a request with a body in memory, and returns the response in one piece.
    public func stream(
        _ request: HTTPRequest,
        body: TransportBody
    ) async throws -> (HTTPResponse, BodyPieces) {
        let (response, received) = try await send(request, body: body.collect())
        return (response, BodyPieces(received))
    }
}
