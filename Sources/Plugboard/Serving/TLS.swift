package import HTTPServer

extension Server.Configuration {
    /// The settings for HTTPS: TLS 1.2 and 1.3.
    ///
    /// A change of the files goes live within seconds, or at once on SIGHUP, for new connections.
    /// An unusable file is logged and changes nothing.
    public struct TLS: Sendable {
        /// A certificate of the server.
        public enum Identity: Sendable, Equatable {
            /// PEM files: the certificate chain, the server's own first, and its unencrypted
            /// private key.
            case files(certificate: String, key: String)
            /// A self-signed certificate for localhost, created at each start.
            ///
            /// Files listed with it aren't reloaded.
            case development
        }

        /// The server's requirement for client certificates.
        public enum ClientCertificates: Sendable, Equatable {
            case none
            /// A client may send a certificate; an authority in this PEM file must have issued it.
            ///
            /// `revocations` is a PEM file of the authorities' revocation lists. With it, a
            /// certificate is rejected if it is listed, or if its authority has no list. A new list
            /// also closes the open connections of the certificates that it rejects.
            case request(authorities: String, revocations: String? = nil)
            /// A client must send a certificate that an authority in this PEM file issued.
            ///
            /// `revocations` works as in ``request(authorities:revocations:)``.
            case require(authorities: String, revocations: String? = nil)
        }

        /// The server's certificates.
        ///
        /// The client's server name (SNI) selects one by its alternative names, including
        /// wildcards. Of several for one name, the key that the client can verify decides. The first
        /// one serves all other names. A request for a host of another
        /// certificate gets a 421 (Misdirected Request).
        public var identities: [Identity]
        /// The server's requirement for client certificates.
        public var clients: ClientCertificates

        /// The scopes of callers with a client certificate and no token, by certificate name.
        ///
        /// The name is the certificate's first URI (`spiffe://example/billing`), else its first
        /// mailbox, else its subject (`CN=ada,O=Example`, RFC 4514), else its first host name.
        /// Callers with other names are authenticated without a scope.
        public var clientScopes = ClientScopes()

        /// The seconds in which browsers use only HTTPS for the request's host, as
        /// `Strict-Transport-Security` (RFC 6797); nil for no such field.
        ///
        /// The server never sends it for addresses and `localhost`, or with a development certificate.
        public var transportSecurity: Int? = 365 * 86_400

        /// Creates settings; by default clients need no certificate.
        public init(_ identities: Identity..., clients: ClientCertificates = .none) {
            self.identities = identities
            self.clients = clients
        }

        /// Returns the callers with client certificates; nil if clients send none.
        func callers(_ implied: ImpliedScopes = ImpliedScopes()) -> CertificateCallers? {
            clients == .none ? nil : CertificateCallers(clientScopes.entries, implied)
        }

        /// The seconds of `Strict-Transport-Security`; nil if no response has it.
        var sentTransportSecurity: Int? {
            identities.contains(.development) ? nil : transportSecurity.map { max(0, $0) }
        }

        /// Start-up errors for the clients' scopes, one sentence each.
        var callerProblems: [String] {
            guard clients != .none || clientScopes.isEmpty else {
                return ["clients have scopes, but no client certificates are requested"]
            }
            return clientScopes.entries.flatMap { name, scopes in
                scopes.invalid.map { "\(name) has an invalid scope: \"\($0)\"" }
            }
        }

        package var http: TLSConfiguration {
            let identities = identities.map { identity -> TLSConfiguration.Identity in
                switch identity {
                case .files(let certificate, let key): .files(certificate: certificate, key: key)
                case .development: .development
                }
            }
            let clients: TLSConfiguration.ClientCertificates =
                switch clients {
                case .none: .none
                case .request(let authorities, let revocations):
                    .request(authorities: authorities, revocations: revocations)
                case .require(let authorities, let revocations):
                    .require(authorities: authorities, revocations: revocations)
                }
            return TLSConfiguration(identities: identities, clients: clients)
        }
    }
}
