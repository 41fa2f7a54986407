import HTTPSyntax

/// The errors that reject a request after its head was parsed.
extension ProtocolError {
    static let bodyTooLarge = ProtocolError(
        413,
        "the body is larger than this resource accepts"
    )
    static let misdirected = ProtocolError(
        421,
        "this connection's certificate isn't valid for the request's host"
    )
    /// RFC 9110 §7.4: an https target needs a TLS connection.
    static let unsecured = ProtocolError(
        421,
        "the target's scheme is https, but this connection doesn't use TLS"
    )
    static let outputFull = ProtocolError(
        503,
        "too many response bytes are waiting for slow clients; retry later"
    )
    static let tooManyBodies = ProtocolError(
        503,
        "too many request bodies are in memory; retry later"
    )
}
