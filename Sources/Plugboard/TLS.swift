import HTTPServer
public import PlugHTTP

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
            /// A certificate for localhost that nobody signed, made anew at each start; files beside
            /// it aren't read anew.
            case development
        }

        /// What clients have to show of themselves.
        public enum ClientCertificates: Sendable, Equatable {
            case none
            /// A client may show a certificate; one that the authorities in this PEM file don't
            /// vouch for is refused.
            ///
            /// With their lists of revoked ones in a further PEM file, a certificate that is on one,
            /// or whose authority has none there, is refused, too. Connections before a new list go
            /// on.
            case request(authorities: String, revocations: String? = nil)
            /// A client without a certificate that the authorities in this PEM file vouch for is
            /// refused; `revocations` as with ``request(authorities:revocations:)``.
            case require(authorities: String, revocations: String? = nil)
        }

        /// Who the server says it is: where there are several, the client's server name (SNI)
        /// chooses among their alternative names, wildcards included; the first is for all others.
        ///
        /// A request for a host that another of them is for is answered with 421 (Misdirected
        /// Request).
        public var identities: [Identity]
        /// What clients have to show of themselves.
        public var clients: ClientCertificates

        /// What those may do who show a certificate and no token, by their names.
        ///
        /// A name is the certificate's first URI (`spiffe://example/billing`), else its first mailbox,
        /// else its subject (`CN=ada,O=Example`, RFC 4514), else its first host name. Others are
        /// known, and have no scope.
        public var clientScopes: [String: Scopes] = [:]

        /// Asks clients for nothing unless said otherwise.
        public init(_ identities: Identity..., clients: ClientCertificates = .none) {
            self.identities = identities
            self.clients = clients
        }

        /// Whom certificates make known; nil where none are asked for.
        var callers: CertificateCallers? {
            clients == .none ? nil : CertificateCallers(scopes: clientScopes)
        }

        /// What is wrong with the clients' scopes, a sentence each.
        var callerProblems: [String] {
            guard clients != .none || clientScopes.isEmpty else {
                return ["clients have scopes, and no certificates are asked for"]
            }
            return clientScopes.sorted { $0.key < $1.key }.flatMap { name, scopes in
                scopes.invalid.map { "\(name) has a scope that can't be one: \"\($0)\"" }
            }
        }

        var http: TLSConfiguration {
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
