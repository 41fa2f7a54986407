import COpenSSL
import Digests

/// The state of an earlier client certificate by the server's current files.
package enum ClientTrustStatus: Sendable, Equatable {
    /// The server would accept it.
    case good
    /// A revocation list of its issuer names it.
    case revoked
    /// Its authority isn't one of the server's client authorities.
    case foreign
    /// The server has revocation lists, but no current one of its issuer.
    ///
    /// A handshake with the certificate would fail.
    case unknown
}

extension TLSContext {
    /// Returns the state of a certificate with this issuer and serial number
    /// (``ClientCertificate/Details``), and this ``ClientCertificate/authority``.
    ///
    /// Revoked authorities between the two aren't found.
    package func clientTrustStatus(
        issuer: String,
        serial: String,
        authority: String
    ) -> ClientTrustStatus {
        let lists = revocations.filter { $0.issuer == issuer }
        if lists.contains(where: { $0.revokes(serial) }) { return .revoked }
        guard clientTrust.contains(where: { Hexadecimal.encode($0) == authority }) else {
            return .foreign
        }
        guard !revocations.isEmpty else { return .good }
        return lists.contains { $0.dateWarning == nil } ? .good : .unknown
    }
}

extension [RevocationList] {
    /// The ends of the issuers' newest lists, in seconds since 1970.
    var ends: [Int] {
        var ends: [String: Int] = [:]
        for list in self { ends[list.issuer] = Swift.max(ends[list.issuer] ?? 0, list.end) }
        return Array<Int>(ends.values)
    }
}

extension RevocationList {
    /// The SHA-256 digest of the issuer's name, in hexadecimal digits.
    var issuer: String { nameDigest(X509_CRL_get_issuer(raw)) }

    /// Whether the list names a serial number, which has hexadecimal digits.
    func revokes(_ serial: String) -> Bool {
        var number: OpaquePointer?
        defer { BN_free(number) }
        guard BN_hex2bn(&number, serial) > 0, let serial = BN_to_ASN1_INTEGER(number, nil) else {
            return false
        }
        defer { ASN1_INTEGER_free(serial) }
        var entry: OpaquePointer?
        // 2 is an entry that ends an earlier revocation (RFC 5280 §5.3.1).
        return X509_CRL_get0_by_serial(raw, &entry, serial) == 1
    }
}

extension Certificate {
    /// The SHA-256 digest of the issuer's name, in hexadecimal digits.
    var issuer: String { nameDigest(X509_get_issuer_name(raw)) }

    /// The serial number, in hexadecimal digits.
    ///
    /// Some authorities have issued negative numbers (RFC 5280 §4.1.2.2).
    var serial: String {
        let serial = X509_get0_serialNumber(raw)
        let sign = ASN1_STRING_type(serial) == V_ASN1_NEG_INTEGER ? "-" : ""
        let count = Int(ASN1_STRING_length(serial))
        let bytes = UnsafeBufferPointer(start: ASN1_STRING_get0_data(serial), count: count)
        return sign + Hexadecimal.encode(bytes)
    }
}

private func nameDigest(_ name: OpaquePointer?) -> String {
    var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: CUnsignedInt = 0
    X509_NAME_digest(name, EVP_sha256(), &digest, &count)
    return Hexadecimal.encode(digest.prefix(Int(count)))
}
