import HTTPServer
import JSONCodec

/// A name in a client's certificate, with its kind.
///
/// The kind is part of the name: `email:CN=ada@example.com` is another caller than the subject
/// `CN=ada@example.com`. Names are equal if their bytes are.
struct CertificateName: Hashable, Sendable {
    /// The field of the certificate that has the name.
    enum Kind: Sendable {
        case uri, email, subject, dns
    }

    let kind: Kind
    private let exact: ExactName

    /// The name without its kind.
    var text: String { exact.text }

    init(_ kind: Kind, _ text: String) {
        self.kind = kind
        exact = ExactName(text: text)
    }

    /// Parses a name in the form of OpenSSL: `URI:…`, `email:…`, `DNS:…`, or a subject.
    ///
    /// Without such a prefix the form decides: `CN=ada` is a subject, a name with a scheme a URI,
    /// one with an `@` an email address, any other a host name.
    init(parsing text: String) {
        for (prefix, kind) in Self.prefixes where text.hasPrefix(prefix) {
            self.init(kind, String(text.dropFirst(prefix.count)))
            return
        }
        let end = text.utf8.firstIndex { byte in
            // A scheme (RFC 3986 §3.1) and an attribute's name have these bytes (RFC 4514 §2).
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2E: false
            default: true
            }
        }
        switch end.map({ text.utf8[$0] }) {
        case UInt8(ascii: "=") where end != text.startIndex: self.init(.subject, text)
        case UInt8(ascii: ":") where end != text.startIndex: self.init(.uri, text)
        default: self.init(text.utf8.contains(UInt8(ascii: "@")) ? .email : .dns, text)
        }
    }

    /// The caller's name in a certificate: the first URI, else email address, else subject, else
    /// host name; nil if it has none.
    init?(_ details: ClientCertificate.Details) {
        var uri: String?
        var email: String?
        var host: String?
        for name in details.names {
            switch name {
            case .uri(let text): uri = uri ?? text
            case .email(let text): email = email ?? text
            case .dns(let text): host = host ?? text
            case .ip: break
            }
        }
        if let uri {
            self.init(.uri, uri)
        } else if let email {
            self.init(.email, email)
        } else if !details.subject.isEmpty {
            self.init(.subject, details.subject)
        } else if let host {
            self.init(.dns, host)
        } else {
            return nil
        }
    }

    private static let prefixes: [(String, Kind)] = [
        ("URI:", .uri), ("email:", .email), ("DNS:", .dns),
    ]
}

extension CertificateName: CustomStringConvertible {
    /// The name with its kind.
    ///
    /// A subject needs no prefix: it begins with an attribute's name and `=`.
    var description: String {
        switch kind {
        case .subject: text
        case .uri: "URI:" + text
        case .email: "email:" + text
        case .dns: "DNS:" + text
        }
    }
}
