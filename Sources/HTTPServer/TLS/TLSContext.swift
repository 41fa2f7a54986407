import COpenSSL

/// The settings shared by a server's TLS connections: certificates, ticket keys, client
/// authorities.
///
/// It is immutable. New certificates need a new context, which the loops use for new connections;
/// open connections keep theirs.
package final class TLSContext: Sendable {
    /// One context for each certificate.
    ///
    /// Connections begin with the first, whose ticket keys all use.
    let contexts: [CertificateContext]
    /// The host names of the certificates.
    let names: ServerNames
    /// The certificates' SHA-256 fingerprints in the format of common tools.
    package let fingerprints: [String]
    /// Warnings about the certificates, for the log.
    package let warnings: [String]

    /// The first certificate's fingerprint.
    package var fingerprint: String { fingerprints[0] }

    /// Reads the files and creates a context; throws one error with all problems.
    package init(_ configuration: TLSConfiguration) throws(TLSError) {
        var problems: [String] = []
        let identities = configuration.identities.compactMap { identity in
            collectProblems(into: &problems) { () throws(TLSError) in
                switch identity {
                case .files(let certificate, let key):
                    try TLSIdentity(certificate: certificate, key: key)
                case .development: try TLSIdentity.development()
                }
            }
        }
        if configuration.identities.isEmpty { problems.append("TLS: no certificate is configured") }
        let demand = collectProblems(into: &problems) { () throws(TLSError) in
            try ClientCertificatePolicy(configuration.clients)
        }
        guard problems.isEmpty, let demand else { throw TLSError(problems) }
        var contexts: [CertificateContext] = []
        for identity in identities { contexts.append(try CertificateContext(identity, demand)) }
        self.contexts = contexts
        names = ServerNames(identities.map(\.certificate.hostNames))
        fingerprints = identities.map(\.certificate.fingerprint)
        warnings =
            identities.flatMap(\.warnings) + demand.warnings
            + identities.dropFirst().filter(\.certificate.hostNames.isEmpty).map {
                "TLS certificate \($0.certificate.subject): has no host name to select it by"
            }
        if contexts.count > 1 { chooseByName(contexts[0].raw) }
    }
}
