import PlugHTTP
import Plugboard
import Settings

/// The options of `serve` for HTTPS.
enum TLSOptions: OptionSection {
    static let title = "TLS"

    static let options = [
        ServeOption(
            "tls-cert",
            \.tls.certificates,
            value: "file",
            help: """
                Serves HTTPS with the certificate in this PEM file, followed by its chain. If \
                repeated, the server selects by the client's server name (SNI); the first is the \
                default.
                """
        ),
        ServeOption(
            "tls-key",
            \.tls.keys,
            value: "file",
            help:
                "The certificate's private key, a PEM file. One per certificate, in the same order."
        ),
        ServeOption(
            "tls-client-ca",
            \.tls.clientAuthorities,
            value: "file",
            help: "Accepts client certificates signed by the authorities in this PEM file."
        ),
        ServeOption(
            "tls-client-crl",
            \.tls.clientRevocations,
            value: "file",
            help: """
                Rejects clients if their certificate or one of its issuers is revoked: a PEM file with \
                the revocation list of each authority, including the root.
                """
        ),
        ServeOption(
            "tls-client-certificates",
            \.tls.clientCertificates,
            default: "require",
            help: "Whether a client certificate is mandatory (require) or optional (request)."
        ),
        ServeOption(
            "tls-client-scope",
            \.tls.clientScopes,
            value: "name=scopes",
            help: """
                The scopes of a client certificate, as NAME=SCOPE SCOPE …. NAME is the certificate's \
                URI, else its email address, else its subject; URI:, email: and DNS: name the kind.
                """
        ),
        ServeOption(
            "dev-tls",
            \.tls.isDevelopment,
            help:
                "Serves HTTPS with a self-signed certificate for localhost, a new one at each start."
        ),
        ServeOption(
            "hsts-max-age",
            \.tls.transportSecurity,
            value: "seconds",
            help: """
                Seconds in which browsers use only HTTPS for the host, as \
                Strict-Transport-Security. "off" disables it.
                """
        ),
    ]

    /// Sets the configuration for HTTPS; without certificates the server's own stays.
    static func complete(_ values: inout ServeValues, _ settings: SettingsReader) {
        if let tls = values.tls.configuration(settings) { values.server.tls = tls }
    }
}

extension ServeValues.TLS {
    /// Returns the configuration; nil for plain HTTP.
    fileprivate func configuration(_ settings: SettingsReader) -> Server.Configuration.TLS? {
        let clients = clients(settings)
        let scopes = scopes(settings, clients)
        switch (certificates.count, keys.count, isDevelopment) {
        case (0, 0, true):
            var tls = Server.Configuration.TLS(.development, clients: clients)
            tls.clientScopes = scopes
            return tls
        case (0, 0, false):
            if clients != .none {
                settings.reject("tls-client-ca", "needs --tls-cert and --tls-key")
            }
            return nil
        case (_, _, true):
            settings.reject("dev-tls", "makes its own certificate: leave --tls-cert out")
        case (0, _, false): settings.reject("tls-key", "needs --tls-cert, too")
        case (_, 0, false): settings.reject("tls-cert", "needs --tls-key, too")
        case (let count, let keyCount, false) where count != keyCount:
            settings.reject(
                "tls-cert",
                "\(count) certificates need as many keys, not \(keyCount)"
            )
        default: break
        }
        var tls = Server.Configuration.TLS(clients: clients)
        tls.clientScopes = scopes
        tls.transportSecurity = transportSecurity.seconds
        tls.identities = zip(certificates, keys).map { .files(certificate: $0, key: $1) }
        return tls
    }

    private func scopes(
        _ settings: SettingsReader,
        _ clients: Server.Configuration.TLS.ClientCertificates
    ) -> Server.Configuration.TLS.ClientScopes {
        if clients == .none, !clientScopes.isEmpty {
            settings.reject("tls-client-scope", "needs --tls-client-ca")
        }
        var scopes = Server.Configuration.TLS.ClientScopes()
        for text in clientScopes {
            // A subject contains equals signs, too.
            guard let sign = text.lastIndex(of: "="), sign > text.startIndex else {
                settings.reject(
                    "tls-client-scope",
                    "expected a name, = and scopes, not \"\(text)\""
                )
                continue
            }
            let granted = Scopes(text: String(text[text.index(after: sign)...]))
            scopes.grant(granted, to: String(text[..<sign]))
        }
        return scopes
    }

    private func clients(
        _ settings: SettingsReader
    ) -> Server.Configuration.TLS.ClientCertificates {
        guard let clientAuthorities else {
            if clientRevocations != nil {
                settings.reject("tls-client-crl", "needs --tls-client-ca")
            }
            if clientCertificates != nil {
                settings.reject("tls-client-certificates", "needs --tls-client-ca")
            }
            return .none
        }
        return clientCertificates == .request
            ? .request(authorities: clientAuthorities, revocations: clientRevocations)
            : .require(authorities: clientAuthorities, revocations: clientRevocations)
    }
}
