import COpenSSL
import Glibc

/// An X.509 certificate (RFC 5280).
///
/// `@unchecked Sendable`: immutable after creation, and OpenSSL counts its references.
final class Certificate: @unchecked Sendable {
    let raw: OpaquePointer

    init(owning raw: OpaquePointer) { self.raw = raw }

    deinit { X509_free(raw) }

    /// The SHA-256 digest of the whole certificate.
    var digest: [UInt8] { Self.digest(of: raw) }

    static func digest(of raw: OpaquePointer) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: CUnsignedInt = 0
        X509_digest(raw, EVP_sha256(), &digest, &count)
        return Array(digest.prefix(Int(count)))
    }

    /// The digest in the format of common tools: `AB:CD:…`.
    var fingerprint: String {
        let pairs = digest.map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
        return pairs.joined(separator: ":")
    }

    /// The end of the validity, in seconds since 1970; 0 if the date is unreadable.
    static func end(of raw: OpaquePointer) -> Int { seconds(X509_get0_notAfter(raw)) }

    /// The beginning of the validity, in seconds since 1970; 0 if the date is unreadable.
    var begin: Int { seconds(X509_get0_notBefore(raw)) }

    /// The reason why clients reject the certificate's dates now; nil if they are valid.
    var dateWarning: String? {
        let (begin, end) = (X509_get0_notBefore(raw), X509_get0_notAfter(raw))
        if X509_cmp_current_time(end) < 0 { return "expired on \(text(end))" }
        if X509_cmp_current_time(begin) > 0 { return "is valid from \(text(begin)) on" }
        return nil
    }
}

/// A list of the certificates that an authority has revoked (RFC 5280 §5).
///
/// `@unchecked Sendable`: as `Certificate`.
final class RevocationList: @unchecked Sendable {
    let raw: OpaquePointer

    init(owning raw: OpaquePointer) { self.raw = raw }

    deinit { X509_CRL_free(raw) }

    /// The SHA-256 digest of the whole list.
    var digest: [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: CUnsignedInt = 0
        X509_CRL_digest(raw, EVP_sha256(), &digest, &count)
        return Array(digest.prefix(Int(count)))
    }

    /// The time from which verification rejects the list (RFC 5280 §5.1.2.5), in seconds since 1970.
    ///
    /// `Int.max` if the list has no such time; 0 if it is unreadable.
    var end: Int { X509_CRL_get0_nextUpdate(raw).map(seconds) ?? .max }

    /// The reason why verification rejects the list's dates now; nil if they are valid.
    var dateWarning: String? {
        guard let next = X509_CRL_get0_nextUpdate(raw), X509_cmp_current_time(next) < 0 else {
            return nil
        }
        return
            "expired on \(text(next)); until it is replaced, its authority's clients are rejected"
    }
}

/// Returns a time in seconds since 1970; 0 if it is unreadable.
private func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int {
    var parts = tm()
    guard let time, ASN1_TIME_to_tm(time, &parts) == 1 else { return 0 }
    return timegm(&parts)
}

/// Formats a time for people.
private func text(_ time: UnsafePointer<ASN1_TIME>?) -> String {
    let bio = BIO_new(BIO_s_mem())
    defer { BIO_free(bio) }
    ASN1_TIME_print(bio, time)
    var bytes: UnsafeMutablePointer<CChar>?
    let count = copenssl_memory(bio, &bytes)
    return String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
}

/// A private key.
///
/// `@unchecked Sendable`: as `Certificate`.
final class PrivateKey: @unchecked Sendable {
    let raw: OpaquePointer

    init(owning raw: OpaquePointer) { self.raw = raw }

    deinit { EVP_PKEY_free(raw) }

    /// The kind of key, such as RSA: a context has one certificate of each.
    var kind: CInt { EVP_PKEY_get_base_id(raw) }
}
