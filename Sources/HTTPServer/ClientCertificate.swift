import COpenSSL
import Glibc
import Locking

/// The certificate that a connection's client has shown, and that an authority vouches for.
///
/// What it says is read when somebody asks for it, and kept.
package final class ClientCertificate: Sendable {
    private let certificate: Certificate
    private let read = Locked<Details?>(nil)

    /// What a certificate says.
    package struct Details: Sendable {
        /// The subject as RFC 4514 writes it, its most specific part first: `CN=ada,O=Example`.
        package let subject: String
        /// The names beside the subject (RFC 5280 §4.2.1.6), of the kinds that are listed there.
        package let names: [SubjectName]
        /// The SHA-256 digest of the whole certificate: `AB:CD:…`.
        package let fingerprint: String
    }

    init(_ certificate: Certificate) { self.certificate = certificate }

    /// What it says.
    package var details: Details {
        read.withLock { read in
            if let read { return read }
            let details = Details(
                subject: certificate.subject,
                names: certificate.subjectNames,
                fingerprint: certificate.fingerprint
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
    /// The subject (RFC 4514), whose control characters are escaped there: `\0A`; empty where it has none,
    /// or one that is no text.
    var subject: String {
        let bio = BIO_new(BIO_s_mem())
        defer { BIO_free(bio) }
        // What was written before that of it which is no text would be another name.
        guard X509_NAME_print_ex(bio, X509_get_subject_name(raw), 0, COPENSSL_NAME_RFC4514) >= 0
        else { return "" }
        var bytes: UnsafeMutablePointer<CChar>?
        let count = copenssl_memory(bio, &bytes)
        return String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// The subject alternative names.
    ///
    /// Those of other kinds are left out, and those of text with anything but visible ASCII: a NUL
    /// within a name has made `good.example` of `good.example\0.evil`.
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

    /// An address of 4 or 16 bytes, as people write it.
    private static func address(_ bytes: [UInt8]) -> String? {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        inet_ntop(family, bytes, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The host names that it is for, wildcards included; in lower case.
    var hostNames: [String] {
        subjectNames.compactMap { name in
            if case .dns(let name) = name { name.lowercased() } else { nil }
        }
    }
}
