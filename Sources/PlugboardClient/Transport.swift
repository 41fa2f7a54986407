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

/// The transport that a client has where nothing else is asked.
enum PlatformTransport {
    #if canImport(Darwin)
    static let shared: any Transport = URLSessionTransport()
    #else
    static let shared: any Transport = SocketTransport()
    #endif
}
