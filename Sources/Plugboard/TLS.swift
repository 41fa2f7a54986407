import HTTPServer

extension Server.Configuration {
    /// What it takes to speak HTTPS: TLS 1.2 and 1.3.
    ///
    /// Files that change while the server serves go live within seconds, or at once on SIGHUP, for
    /// the connections from then on. Files that can't be used are told in the log and change
    /// nothing.
    public struct TLS: Sendable {
        /// Who the server says it is.
        public enum Identity: Sendable, Equatable {
            /// PEM files: a certificate with those that lead to its authority behind it, and its
            /// private key, which isn't encrypted.
            case files(certificate: String, key: String)
            /// A certificate for localhost that nobody signed, made anew at each start.
            case development
        }

        /// What clients have to show of themselves.
        public enum ClientCertificates: Sendable, Equatable {
            case none
            /// A client may show a certificate; one that the authorities in this PEM file don't
            /// vouch for is refused.
            case request(authorities: String)
            /// A client without a certificate that the authorities in this PEM file vouch for is
            /// refused.
            case require(authorities: String)
        }

        /// Who the server says it is.
        public var identity: Identity
        /// What clients have to show of themselves.
        public var clients: ClientCertificates

        /// Asks clients for nothing unless said otherwise.
        public init(_ identity: Identity, clients: ClientCertificates = .none) {
            self.identity = identity
            self.clients = clients
        }

        var http: TLSConfiguration {
            let identity: TLSConfiguration.Identity =
                switch identity {
                case .files(let certificate, let key): .files(certificate: certificate, key: key)
                case .development: .development
                }
            let clients: TLSConfiguration.ClientCertificates =
                switch clients {
                case .none: .none
                case .request(let authorities): .request(authorities: authorities)
                case .require(let authorities): .require(authorities: authorities)
                }
            return TLSConfiguration(identity: identity, clients: clients)
        }
    }
}
