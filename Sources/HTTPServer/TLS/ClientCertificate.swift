import COpenSSL
import Digests
import Glibc
import Locking

/// A client's certificate, verified against the configured authorities.
///
/// The details are parsed at the first access and cached.
package final class ClientCertificate: Sendable {
    private let certificate: Certificate
    private let read = Locked<Details?>(nil)

    /// The parsed fields of a certificate.
    package struct Details: Sendable {
        /// The subject in the format of RFC 4514, most specific part first: `CN=ada,O=Example`.
        package let subject: String
        /// The subject alternative names (RFC 5280 §4.2.1.6) of the kinds in `SubjectName`.
        package let names: [SubjectName]
        /// The SHA-256 digest of the whole certificate: `AB:CD:…`.
        package let fingerprint: String
        /// The SHA-256 digest of the issuer's name, in hexadecimal digits.
        package let issuer: String
        /// The serial number, in hexadecimal digits.
        package let serial: String
    }

    private let trust: ClientTrust

    /// The time at which it or one of its authorities expires, in seconds since 1970.
    package var end: Int { trust.end }
    /// The SHA-256 digest of the configured authority that accepts it, in hexadecimal digits.
    package var authority: String { Hexadecimal.encode(trust.authority) }

    init(_ certificate: Certificate, _ trust: ClientTrust) {
        self.certificate = certificate
        self.trust = trust
    }

    /// The parsed fields.
    package var details: Details {
        read.withLock { read in
            if let read { return read }
            let details = Details(
                subject: certificate.subject,
                names: certificate.subjectNames,
                fingerprint: certificate.fingerprint,
                issuer: certificate.issuer,
                serial: certificate.serial
            )
            read = details
            return details
        }
    }
}

/// A subject alternative name (RFC 5280 §4.2.1.6).
package enum SubjectName: Sendable, Equatable {
    case dns(String), email(String), uri(String), ip(String)
}

extension Certificate {
    /// The subject (RFC 4514), with control characters escaped: `\0A`.
    ///
    /// Empty if the certificate has no subject, or one that isn't text.
    var subject: String { Self.nameText(X509_get_subject_name(raw)) }

    static func nameText(_ name: OpaquePointer?) -> String {
        let bio = BIO_new(BIO_s_mem())
        defer { BIO_free(bio) }
        // A name cut off before the part that isn't text would be a different name.
        guard X509_NAME_print_ex(bio, name, 0, COPENSSL_NAME_RFC4514) >= 0 else { return "" }
        var bytes: UnsafeMutablePointer<CChar>?
        let count = copenssl_memory(bio, &bytes)
        return String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// The subject alternative names of DNS, email, URI and IP address.
    ///
    /// Names with characters other than visible ASCII are left out: some programs have read
    /// `good.example\0.evil` as `good.example`.
    var subjectNames: [SubjectName] {
        guard let list = X509_get_ext_d2i(raw, NID_subject_alt_name, nil, nil) else { return [] }
        let names = OpaquePointer(list)
        defer { copenssl_free_names(names) }
        return (0..<copenssl_name_count(names)).compactMap { index in
            var kind: CInt = 0
            var bytes: UnsafePointer<UInt8>?
            let count = copenssl_name(names, index, &kind, &bytes)
            guard count > 0 else { return nil }
            let content = Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
            if kind == GEN_IPADD { return Self.address(content).map(SubjectName.ip) }
            guard content.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
            let text = String(decoding: content, as: UTF8.self)
            switch kind {
            case GEN_DNS: return .dns(text)
            case GEN_EMAIL: return .email(text)
            case GEN_URI: return .uri(text)
            default: return nil
            }
        }
    }

    /// Formats an address of 4 or 16 bytes.
    private static func address(_ bytes: [UInt8]) -> String? {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        inet_ntop(family, bytes, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The certificate's host names in lower case, including wildcards.
    var hostNames: [String] {
        subjectNames.compactMap { name in
            if case .dns(let name) = name { name.lowercased() } else { nil }
        }
    }
}
