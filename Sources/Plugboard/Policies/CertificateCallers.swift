import BehaviorStore
import HTTPServer
import PlugHTTP

/// Identifies callers by their clients' certificates.
struct CertificateCallers: Sendable {
    /// The scopes of each caller, by name.
    let scopes: [String: Scopes]

    /// Returns the certificate's caller, named by its first URI, else email address, else subject,
    /// else host name.
    ///
    /// The kinds can't be confused: a URI has a scheme, an email address an `@`, and a subject
    /// begins with an attribute name. So names of different kinds are never equal.
    ///
    /// A name of more than 8 KiB can't be stored, and isn't accepted: shortened, it might equal
    /// another's.
    func caller(_ certificate: ClientCertificate) -> Caller? {
        let details = certificate.details
        guard let name = Self.name(details) else { return nil }
        // The prefix keeps it distinct from tokens' numbers and issuers' subjects.
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
