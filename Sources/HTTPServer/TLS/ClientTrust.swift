import COpenSSL
import Glibc

/// The authority that a client's certificate depends on, and the end of that trust.
///
/// OpenSSL checks dates during a full handshake only. A ticket contains the client's certificate
/// without its authorities, so it also gets this value.
struct ClientTrust: Equatable {
    /// The size of a SHA-256 digest.
    private static let digestSize = 32

    /// The time at which the certificate or one of its authorities expires, in seconds since 1970.
    var end: Int
    /// The SHA-256 digest of the last certificate of the verified chain.
    var authority: [UInt8]

    /// Returns the trust of an established session; nil without a certificate.
    static func find(_ ssl: OpaquePointer) -> ClientTrust? {
        guard SSL_session_reused(ssl) == 1 else { return inChain(ssl) }
        return SSL_get_session(ssl).flatMap(inSession)
    }

    /// Returns the trust in the chain that this handshake has verified.
    ///
    /// The chain's last certificate has to be valid, too: OpenSSL rejects an expired authority.
    static func inChain(_ ssl: OpaquePointer) -> ClientTrust? {
        guard let chain = SSL_get0_verified_chain(ssl) else { return nil }
        let count = copenssl_chain_count(chain)
        guard let last = copenssl_chain_certificate(chain, count - 1) else { return nil }
        let ends = (0..<count).map { index in
            copenssl_chain_certificate(chain, index).map(Certificate.end) ?? 0
        }
        return ClientTrust(end: ends.min() ?? 0, authority: Certificate.digest(of: last))
    }

    /// Returns the trust in a resumed session; nil if it has no certificate.
    ///
    /// A certificate without the value counts as expired.
    static func inSession(_ session: OpaquePointer) -> ClientTrust? {
        var data: UnsafeMutableRawPointer?
        var count = 0
        if SSL_SESSION_get0_ticket_appdata(session, &data, &count) == 1, let data,
            count == MemoryLayout<Int>.size + digestSize
        {
            let bytes = UnsafeRawBufferPointer(start: data, count: count)
            return ClientTrust(
                end: bytes.loadUnaligned(as: Int.self),
                authority: Array(bytes.dropFirst(MemoryLayout<Int>.size))
            )
        }
        return SSL_SESSION_get0_peer(session) == nil ? nil : ClientTrust(end: 0, authority: [])
    }

    /// The bytes for a ticket, which only servers of this process read.
    fileprivate var bytes: [UInt8] { withUnsafeBytes(of: end) { Array($0) } + authority }
}

/// Stores the trust in a new ticket.
///
/// The ticket of a resumed session keeps the trust of the first handshake.
func noteClientTrust(_ ssl: OpaquePointer?, _: UnsafeMutableRawPointer?) -> CInt {
    guard let ssl, SSL_session_reused(ssl) == 0, let trust = ClientTrust.inChain(ssl) else {
        return 1
    }
    let bytes = trust.bytes
    return SSL_SESSION_set1_ticket_appdata(SSL_get_session(ssl), bytes, bytes.count)
}

/// Ignores a ticket whose client certificate has expired: the client needs a full handshake.
///
/// It also ignores tickets with a certificate if a revocation list has expired. Only a handshake
/// finds the lists of the certificate's chain.
func checkClientTrust(
    _: OpaquePointer?,
    _ session: OpaquePointer?,
    _: UnsafePointer<UInt8>?,
    _: Int,
    _ status: CInt,
    _ context: UnsafeMutableRawPointer?
) -> CInt {
    switch status {
    case SSL_TICKET_SUCCESS, SSL_TICKET_SUCCESS_RENEW: break
    case SSL_TICKET_EMPTY, SSL_TICKET_NO_DECRYPT: return SSL_TICKET_RETURN_IGNORE_RENEW
    default: return SSL_TICKET_RETURN_ABORT
    }
    if let session, let trust = ClientTrust.inSession(session) {
        let context = context.map {
            Unmanaged<CertificateContext>.fromOpaque($0).takeUnretainedValue()
        }
        guard min(trust.end, context?.firstListEnd ?? .max) > time(nil) else {
            return SSL_TICKET_RETURN_IGNORE_RENEW
        }
    }
    return status == SSL_TICKET_SUCCESS ? SSL_TICKET_RETURN_USE : SSL_TICKET_RETURN_USE_RENEW
}
