public import HTTPTypes

/// The transport of the platform: `URLSession` on Apple's, sockets with OpenSSL elsewhere.
///
/// ```swift
/// var limits = TransportLimits()
/// limits.timeout = .seconds(5)
/// let client = Client("https://api.example.com", transport: PlatformTransport(limits: limits))
/// ```
/// It follows no redirects and stores no cookies and no responses. So a request reaches exactly its
/// URL's server.
public final class PlatformTransport: Transport {
    /// The transport of clients without one of their own.
    public static let shared = PlatformTransport()

    private let base: any Transport

    /// Creates a transport with its own connections.
    public init(limits: TransportLimits = TransportLimits()) {
        #if canImport(Darwin)
        base = URLSessionTransport(limits: limits)
        #else
        base = SocketTransport(limits: limits)
        #endif
    }

    /// Sends a request and returns the complete response.
    public func send(
        _ request: HTTPRequest,
        body: [UInt8]
    ) async throws -> (HTTPResponse, [UInt8]) {
        try await base.send(request, body: body)
    }

    /// Sends a request and returns the response after its head.
    public func stream(
        _ request: HTTPRequest,
        body: TransportBody
    ) async throws -> (HTTPResponse, BodyPieces) {
        try await base.stream(request, body: body)
    }
}
