/// The configuration of a server's TLS.
package struct TLSConfiguration: Sendable {
    /// A server's certificate and key.
    package enum Identity: Sendable, Equatable {
        /// PEM files: a certificate followed by the chain to its authority, and its unencrypted
        /// key.
        case files(certificate: String, key: String)
        /// A self-signed certificate for this machine only, generated at each start.
        case development
    }

    /// The certificates that clients may or have to present.
    package enum ClientCertificates: Sendable, Equatable {
        case none
        /// A client may present a certificate.
        ///
        /// Rejects one that these authorities haven't signed, and one that `revocations`, their
        /// lists, revoke or don't cover.
        case request(authorities: String, revocations: String? = nil)
        /// Rejects clients without a certificate signed by these authorities.
        case require(authorities: String, revocations: String? = nil)
    }

    /// One or several identities for different host names; the first is used for all other names.
    package var identities: [Identity]
    package var clients: ClientCertificates

    package init(identities: [Identity], clients: ClientCertificates = .none) {
        self.identities = identities
        self.clients = clients
    }

    package init(identity: Identity, clients: ClientCertificates = .none) {
        self.init(identities: [identity], clients: clients)
    }

    /// Whether the files are watched.
    ///
    /// A development certificate stays for the process's lifetime, since clients may have pinned
    /// it.
    var isReloadable: Bool { !identities.contains(.development) }

    /// The files of the configuration.
    package var files: [String] {
        let files = identities.flatMap { identity -> [String] in
            switch identity {
            case .files(let certificate, let key): [certificate, key]
            case .development: []
            }
        }
        return files + clients.files
    }
}

extension TLSConfiguration.ClientCertificates {
    /// The PEM file of the authorities that sign client certificates.
    var authorities: String? {
        switch self {
        case .none: nil
        case .request(let authorities, _), .require(let authorities, _): authorities
        }
    }

    /// The PEM file of the authorities' revocation lists.
    var revocations: String? {
        switch self {
        case .none: nil
        case .request(_, let revocations), .require(_, let revocations): revocations
        }
    }

    var files: [String] { [authorities, revocations].compactMap(\.self) }
}
