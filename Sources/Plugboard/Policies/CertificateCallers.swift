import BehaviorStore
import HTTPServer
import JSONCodec
import PlugHTTP

/// Identifies callers by their clients' certificates.
struct CertificateCallers: Sendable {
    /// The scopes of each caller, with all that they imply.
    private let scopes: [CertificateName: Scopes]

    /// Creates the map from the configured scopes.
    init(
        _ scopes: [(name: String, scopes: Scopes)],
        _ implied: ImpliedScopes = ImpliedScopes()
    ) {
        self.scopes = Dictionary(
            scopes.map { (CertificateName(parsing: $0.name), implied.expand($0.scopes)) },
            uniquingKeysWith: { Scopes($0.names + $1.names) }
        )
    }

    /// Returns the certificate's caller.
    ///
    /// A name of more than 8 KiB can't be stored, and isn't accepted: shortened, it might equal
    /// another's.
    func caller(_ certificate: ClientCertificate) -> Caller? {
        guard let name = CertificateName(certificate.details) else { return nil }
        let id = Caller.certificatePrefix + name.description
        guard Author(id: id, name: name.text).canBeKept else { return nil }
        return Caller(id: id, name: name.text, scopes: scopes[name] ?? [])
    }

    /// Returns the scopes of a caller by its identifier; nil if it isn't a certificate's.
    func scopes(ofCaller id: String) -> Scopes? {
        guard Caller.isCertificate(id) else { return nil }
        let name = id.dropFirst(Caller.certificatePrefix.count)
        return scopes.first { $0.key.description.hasSameBytes(as: String(name)) }?.value ?? []
    }
}
