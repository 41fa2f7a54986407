/// What a server needs to speak TLS.
package struct TLSConfiguration: Sendable {
    /// Who the server says it is.
    package enum Identity: Sendable, Equatable {
        /// PEM files: a certificate with those that lead to its authority behind it, and its key,
        /// which isn't encrypted.
        case files(certificate: String, key: String)
        /// A certificate for this machine alone that nobody signed, made anew at each start.
        case development
    }

    /// What clients have to show of themselves.
    package enum ClientCertificates: Sendable, Equatable {
        case none
        /// A client may show a certificate; one that these authorities don't vouch for is refused,
        /// and so is one that `revocations`, their lists, has or tells nothing of.
        case request(authorities: String, revocations: String? = nil)
        /// A client without a certificate that these authorities vouch for is refused.
        case require(authorities: String, revocations: String? = nil)
    }

    /// One, or several of which each is for other host names; the first is for all that none is for.
    package var identities: [Identity]
    package var clients: ClientCertificates

    package init(identities: [Identity], clients: ClientCertificates = .none) {
        self.identities = identities
        self.clients = clients
    }

    package init(identity: Identity, clients: ClientCertificates = .none) {
        self.init(identities: [identity], clients: clients)
    }

    /// A development certificate lasts as long as the process: clients may have pinned it.
    var isReloadable: Bool { !identities.contains(.development) }

    /// The files that it is read from.
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
    /// The PEM file of the authorities that vouch for clients.
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
