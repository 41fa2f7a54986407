import HTTPSyntax
import HTTPServer
public import HTTPTypes
public import PlugHTTP

/// A request as a ``Middleware`` receives it.
public struct ServerRequest: Sendable {
    /// The method, the target URI's parts and the fields.
    ///
    /// Over TLS the scheme is `https`, unless the client states another one. On a plain port,
    /// perhaps after a proxy, it is the scheme that the client states.
    public let head: HTTPRequest
    /// The number of body bytes received by the time of the response.
    ///
    /// 0 if the action reads its body as a stream.
    public let bodySize: Int

    /// The client's IP address; nil over a Unix socket.
    ///
    /// Behind a trusted proxy, it is the address that the proxy names.
    public var clientAddress: String? { address?.description }
    private let address: IPAddress?
    /// The client's certificate; nil without one.
    public let peerCertificate: PeerCertificate?
    /// The caller; nil if the action isn't `Scoped` or rejects the caller.
    public let caller: Caller?

    /// Whether the client prefers a gzip-coded response.
    let prefersGzip: Bool
    /// The other origins whose web pages may use the server.
    let origins: AllowedOrigins

    /// The normalized path, without the query.
    ///
    /// Only necessary percent-encoding remains, so equal paths have equal text (RFC 3986 §6.2.2).
    public let path: String

    init(_ request: borrowing Request, bodySize: Int, origins: AllowedOrigins) {
        self.init(
            request.head,
            from: request.peer,
            caller: request.caller,
            bodySize: bodySize,
            origins: origins
        )
    }

    init(
        _ head: RequestHead,
        from peer: Peer,
        caller: Caller? = nil,
        bodySize: Int = 0,
        origins: AllowedOrigins = AllowedOrigins([])
    ) {
        self.origins = origins
        self.caller = caller
        self.bodySize = bodySize
        prefersGzip = AcceptEncoding.prefersGzip(head)
        address = peer.address
        peerCertificate = peer.certificate.map(PeerCertificate.init)
        path = head.path.text
        let query = head.query.map { "?" + $0.text } ?? ""
        self.head = HTTPRequest(
            // The parser has checked that it is a token.
            method: HTTPRequest.Method(head.methodName.text) ?? .options,
            scheme: head.scheme.name.description,
            authority: head.authority.text,
            path: head.rawPath.text + query,
            headerFields: HTTPFields(head)
        )
    }
}
