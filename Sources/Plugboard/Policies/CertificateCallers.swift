import BehaviorStore
import HTTPServer
import JSONCodec
import PlugHTTP

/// Identifies callers by their clients' certificates.
struct CertificateCallers: Sendable {
    /// The prefix of callers' identifiers.
    ///
    /// It keeps them distinct from tokens' numbers and issuers' subjects.
    static let prefix = "certificate "

    /// The scopes of each caller.
    private let scopes: [CertificateName: Scopes]

    /// Creates the map from the configured scopes.
    init(_ scopes: Server.Configuration.TLS.ClientScopes) {
        self.scopes = Dictionary(
            scopes.entries.map { (CertificateName(parsing: $0.name), $0.scopes) },
            uniquingKeysWith: { Scopes($0.names + $1.names) }
        )
    }

    /// Returns the certificate's caller.
    ///
    /// A name of more than 8 KiB can't be stored, and isn't accepted: shortened, it might equal
    /// another's.
    func caller(_ certificate: ClientCertificate) -> Caller? {
        guard let name = CertificateName(certificate.details) else { return nil }
        let id = Self.prefix + name.description
        guard Author(id: id, name: name.text).canBeKept else { return nil }
        return Caller(id: id, name: name.text, scopes: scopes[name] ?? [])
    }

    /// Whether a caller's identifier is a certificate's.
    static func isCaller(_ id: String) -> Bool { id.utf8.starts(with: prefix.utf8) }

    /// Returns the scopes of a caller by its identifier; nil if it isn't a certificate's.
    func scopes(ofCaller id: String) -> Scopes? {
        guard Self.isCaller(id) else { return nil }
        let name = id.dropFirst(Self.prefix.count)
        return scopes.first { $0.key.description.hasSameBytes(as: String(name)) }?.value ?? []
    }
}
