import COpenSSL

/// The settings shared by a server's TLS connections: certificates, ticket keys, client
/// authorities.
///
/// It is immutable. New certificates need a new context, which the loops use for new connections;
/// open connections keep theirs.
package final class TLSContext: Sendable {
    /// One context for each combination of certificates that a host name has.
    ///
    /// Connections begin with the first, whose ticket keys all use.
    let contexts: [CertificateContext]
    /// The numbers of each context's certificates.
    let groups: [[Int]]
    /// The digests of the clients' authorities and revocation lists.
    let clientTrust: [[UInt8]]
    /// The client authorities' revocation lists.
    let revocations: [RevocationList]
    /// The times at which authorities have no current list, in seconds since 1970.
    private let listEnds: [Int]
    /// The host names of the certificates.
    let names: ServerNames
    /// The certificates' SHA-256 fingerprints in the format of common tools.
    package let fingerprints: [String]
    /// The ends of the certificates' validity, in the order of the configuration.
    package let expiries: [Expiry]
    /// Warnings about the certificates, for the log.
    package let warnings: [String]

    /// The first certificate's fingerprint.
    package var fingerprint: String { fingerprints[0] }

    /// The end of a certificate's validity.
    package struct Expiry: Sendable, Equatable {
        /// The certificate's first host name; else its subject.
        package let name: String
        /// The time at which it or a certificate of its chain expires, in seconds since 1970.
        package let seconds: Int
    }

    /// The earliest time at which a revocation list expires, in seconds since 1970; nil without
    /// lists.
    package var revocationExpiry: Int? { listEnds.min() }

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
        let names = ServerNames(
            identities.map(\.certificate.hostNames),
            kinds: identities.map(\.key.kind)
        )
        let groups = names.groups
        var contexts: [CertificateContext] = []
        for group in groups {
            contexts.append(try CertificateContext(group.map { identities[$0] }, demand))
        }
        (self.contexts, self.names, self.groups) = (contexts, names, groups)
        clientTrust = demand.trust
        revocations = demand.revocations
        listEnds = demand.revocations.ends
        fingerprints = identities.map(\.certificate.fingerprint)
        expiries = identities.map { identity in
            Expiry(
                name: identity.certificate.hostNames.first ?? identity.certificate.subject,
                seconds: identity.end
            )
        }
        warnings =
            identities.flatMap(\.warnings) + demand.warnings
            + identities.dropFirst().filter(\.certificate.hostNames.isEmpty).map {
                "TLS certificate \($0.certificate.subject): has no host name to select it by"
            }
        if contexts.count > 1 { chooseByName(contexts[0].raw) }
    }

    /// Returns the next time at which an authority has no current revocation list; `Int.max` if
    /// there is none.
    func listEnd(after seconds: Int) -> Int { listEnds.filter { $0 > seconds }.min() ?? .max }
}
