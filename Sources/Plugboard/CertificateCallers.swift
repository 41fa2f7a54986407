import BehaviorStore
import HTTPServer
import PlugHTTP

/// Whom the certificates of clients make known.
struct CertificateCallers: Sendable {
    /// What each may do, by its name.
    let scopes: [String: Scopes]

    /// The one whom a certificate is about: by its first URI, else its first mailbox, else its subject,
    /// else its first host name.
    ///
    /// Which of them it is can be told by looking: a URI has a scheme, a mailbox an `@`, a subject
    /// begins with the name of an attribute. So nobody is mistaken for another whom the same
    /// authority vouches for.
    ///
    /// Who couldn't be written down, with a name of more than 8 KiB, is nobody: a part of the name might
    /// be another's.
    func caller(_ certificate: ClientCertificate) -> Caller? {
        let details = certificate.details
        guard let name = Self.name(details) else { return nil }
        // No token's number is like it, and no issuer's subject.
        let id = "certificate \(name)"
        guard Author(id: id, name: name).canBeKept else { return nil }
        return Caller(id: id, name: name, scopes: scopes[name] ?? [])
    }

    private static func name(_ details: ClientCertificate.Details) -> String? {
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
        return uri ?? email ?? (details.subject.isEmpty ? host : details.subject)
    }
}
