import HTTPSyntax
import HTTPServer
public import HTTPTypes
public import PlugHTTP

/// A request as a ``Middleware`` sees it.
public struct ServerRequest: Sendable {
    /// The method, the target URI's parts and the fields.
    ///
    /// The scheme is `https` over TLS, unless the client says another one. On a plain port, which a
    /// proxy may stand before, it says what the client says.
    public let head: HTTPRequest
    /// The bytes of its body, as far as they have come when it is answered; 0 for one that its
    /// action takes piece by piece.
    public let bodySize: Int

    /// The certificate that the client has shown; nil without one.
    public let peerCertificate: PeerCertificate?
    /// Who has sent it; nil where its action isn't ``Scoped``, or refuses it.
    public let caller: Caller?

    /// Whether the response may go gzip-coded, and better so than as it is.
    let takesGzip: Bool

    /// The path without the query, and with nothing percent-encoded that needn't be: of all the ways
    /// to write a path it is the one that is compared (RFC 3986 §6.2.2).
    public let path: String

    init(_ request: borrowing Request, bodySize: Int) {
        let head = request.head
        caller = request.caller
        self.bodySize = bodySize
        takesGzip = AcceptEncoding.takesGzip(head)
        peerCertificate = request.peer.certificate.map(PeerCertificate.init)
        path = head.path.text
        let query = head.query.map { "?" + $0.text } ?? ""
        self.head = HTTPRequest(
            // A token, which the parser has seen to.
            method: HTTPRequest.Method(head.methodName.text) ?? .options,
            scheme: head.scheme.name.description,
            authority: head.authority.text,
            path: head.rawPath.text + query,
            headerFields: HTTPFields(head)
        )
    }
}
