import COpenSSL

/// What a server's TLS connections share: certificates, ticket keys, what is asked of clients.
///
/// It isn't changed once it is made: new certificates are a new context, which the loops take for
/// the connections from then on, while those before keep theirs.
package final class TLSContext: Sendable {
    /// One for each certificate; connections begin with the first, whose ticket keys are all's.
    let contexts: [CertificateContext]
    /// The host names that the certificates are for.
    let names: ServerNames
    /// The certificates' SHA-256 fingerprints, as tools print them.
    package let fingerprints: [String]
    /// What the log should know of the certificates, for people.
    package let warnings: [String]

    /// The first certificate's fingerprint.
    package var fingerprint: String { fingerprints[0] }

    /// Reads the files and makes a context; throws all that is wrong with them.
    package init(_ configuration: TLSConfiguration) throws(TLSError) {
        var problems: [String] = []
        let identities = configuration.identities.compactMap { identity in
            collect(&problems) { () throws(TLSError) in
                switch identity {
                case .files(let certificate, let key):
                    try TLSIdentity(certificate: certificate, key: key)
                case .development: try TLSIdentity.development()
                }
            }
        }
        if configuration.identities.isEmpty { problems.append("TLS: there is no certificate") }
        let demand = collect(&problems) { () throws(TLSError) in
            try ClientDemand(configuration.clients)
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
                "TLS certificate \($0.certificate.subject): has no host name to be chosen by"
            }
        if contexts.count > 1 { chooseByName(contexts[0].raw) }
    }

    /// A connection's TLS on its socket; throws when there is no memory for it.
    func session(on descriptor: CInt) throws(TLSError) -> TLSSession {
        ERR_clear_error()
        guard let ssl = SSL_new(contexts[0].raw) else { throw Self.noSession }
        guard SSL_set_fd(ssl, descriptor) == 1 else {
            SSL_free(ssl)
            throw Self.noSession
        }
        return TLSSession(owning: ssl, descriptor: descriptor, of: self)
    }

    private static var noSession: TLSError {
        TLSError("no TLS session can be made: \(OpenSSLErrors.take() ?? "no memory")")
    }
}
