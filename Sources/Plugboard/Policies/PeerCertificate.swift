import HTTPServer

/// The certificate of a TLS client, verified against the server's authorities.
///
/// Clients only have one if the server requests it
/// (``Server/Configuration/TLS/ClientCertificates``). This middleware accepts only one name:
/// ```swift
/// extension Middleware {
///     static let backOffice = Middleware { request, next in
///         let names = request.peerCertificate?.alternativeNames ?? []
///         guard names.contains(.dns("back.office.example")) else { throw Problem.forbidden() }
///         return try await next()
///     }
/// }
/// ```
public struct PeerCertificate: Sendable {
    /// An additional name of the subject (RFC 5280 §4.2.1.6).
    public enum AlternativeName: Sendable, Hashable {
        /// A host name, such as `api.example`.
        case dns(String)
        /// An email address, such as `ada@example.com`.
        case email(String)
        /// A URI, such as `spiffe://example/billing`.
        case uri(String)
        /// An IP address, such as `192.0.2.1` or `2001:db8::1`.
        case ip(String)
    }

    private let certificate: ClientCertificate

    init(_ certificate: ClientCertificate) { self.certificate = certificate }

    /// The subject's distinguished name (RFC 4514), such as `CN=ada,O=Example`.
    public var subject: String { certificate.details.subject }

    /// The subject's other names, in their order; unsupported kinds are left out.
    public var alternativeNames: [AlternativeName] {
        certificate.details.names.map { name in
            switch name {
            case .dns(let name): .dns(name)
            case .email(let name): .email(name)
            case .uri(let name): .uri(name)
            case .ip(let address): .ip(address)
            }
        }
    }

    /// The SHA-256 digest of the whole certificate, as tools print it: `AB:CD:…`.
    public var fingerprint: String { certificate.details.fingerprint }
}
