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
        /// A client may show a certificate; one that these authorities don't vouch for is refused.
        case request(authorities: String)
        /// A client without a certificate that these authorities vouch for is refused.
        case require(authorities: String)
    }

    package var identity: Identity
    package var clients: ClientCertificates

    package init(identity: Identity, clients: ClientCertificates = .none) {
        self.identity = identity
        self.clients = clients
    }

    /// The PEM file of the authorities that vouch for clients.
    var authorities: String? {
        switch clients {
        case .none: nil
        case .request(let authorities), .require(let authorities): authorities
        }
    }

    /// The files that it is read from.
    package var files: [String] {
        switch identity {
        case .files(let certificate, let key):
            [certificate, key] + [authorities].compactMap(\.self)
        case .development: [authorities].compactMap(\.self)
        }
    }
}
