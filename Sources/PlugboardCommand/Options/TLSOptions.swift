import ArgumentParser
import PlugHTTP
import Plugboard
import Settings

/// The options of `serve` for HTTPS.
struct TLSOptions: ParsableArguments {
    private static let certificates = Setting<[String]>("tls-cert", default: [])

    @Option(
        certificates,
        """
        Serves HTTPS with the certificate in this PEM file, followed by its chain. If repeated, \
        the server selects by the client's server name (SNI); the first is the default.
        """,
        valueName: "file"
    )
    var certificates: [String]

    private static let keys = Setting<[String]>("tls-key", default: [])

    @Option(
        keys,
        "The certificate's private key, a PEM file. One per certificate, in the same order.",
        valueName: "file"
    )
    var keys: [String]

    private static let clientAuthorities = Setting<String?>("tls-client-ca", default: nil)

    @Option(
        clientAuthorities,
        "Accepts client certificates signed by the authorities in this PEM file.",
        valueName: "file"
    )
    var clientAuthorities: String?

    private static let clientRevocations = Setting<String?>("tls-client-crl", default: nil)

    @Option(
        clientRevocations,
        """
        Rejects clients if their certificate or one of its issuers is revoked: a PEM file with the \
        revocation list of each authority, including the root.
        """,
        valueName: "file"
    )
    var clientRevocations: String?

    private static let clientCertificates =
        Setting<Demand?>("tls-client-certificates", default: nil, defaultText: "require")

    @Option(
        clientCertificates,
        "Whether a client certificate is mandatory (require) or optional (request)."
    )
    var clientCertificates: String?

    private static let clientScopes = Setting<[String]>("tls-client-scope", default: [])

    @Option(
        clientScopes,
        """
        The scopes of a client certificate, as NAME=SCOPE SCOPE …. NAME is the certificate's URI, \
        else its email address, else its subject.
        """,
        valueName: "name=scopes"
    )
    var clientScopes: [String]

    private static let development = Setting("dev-tls", default: false)

    @Flag(
        development,
        "Serves HTTPS with a self-signed certificate for localhost, a new one at each start."
    )
    var development: Bool?

    enum Demand: String, LosslessStringConvertible, SettingValue, CaseIterable {
        case request, require
    }

    /// Returns the settings; nil for plain HTTP.
    static func read(
        _ options: Self?,
        _ settings: SettingsReader
    ) -> Server.Configuration.TLS? {
        let certificates = settings.value(of: certificates, options?.certificates ?? [])
        let keys = settings.value(of: keys, options?.keys ?? [])
        let clients = clients(options, settings)
        let clientScopes = scopes(options, settings, clients)
        let isDevelopment = settings.value(of: development, options?.development)
        switch (certificates.count, keys.count, isDevelopment) {
        case (0, 0, true):
            var tls = Server.Configuration.TLS(.development, clients: clients)
            tls.clientScopes = clientScopes
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
        tls.clientScopes = clientScopes
        tls.identities = zip(certificates, keys).map { .files(certificate: $0, key: $1) }
        return tls
    }

    private static func scopes(
        _ options: Self?,
        _ settings: SettingsReader,
        _ clients: Server.Configuration.TLS.ClientCertificates
    ) -> [String: Scopes] {
        let texts = settings.value(of: clientScopes, options?.clientScopes ?? [])
        if clients == .none, !texts.isEmpty {
            settings.reject("tls-client-scope", "needs --tls-client-ca")
        }
        var scopes: [String: Scopes] = [:]
        for text in texts {
            // A subject contains equals signs, too.
            guard let sign = text.lastIndex(of: "="), sign > text.startIndex else {
                settings.reject(
                    "tls-client-scope",
                    "expected a name, = and scopes, not \"\(text)\""
                )
                continue
            }
            let name = String(text[..<sign])
            let all =
                (scopes[name]?.names ?? [])
                + Scopes(text: String(text[text.index(after: sign)...])).names
            scopes[name] = Scopes(all)
        }
        return scopes
    }

    private static func clients(
        _ options: Self?,
        _ settings: SettingsReader
    ) -> Server.Configuration.TLS.ClientCertificates {
        let authorities = settings.value(of: clientAuthorities, options?.clientAuthorities)
        let revocations = settings.value(of: clientRevocations, options?.clientRevocations)
        let demand = settings.value(of: clientCertificates, options?.clientCertificates)
        guard let authorities else {
            if revocations != nil { settings.reject("tls-client-crl", "needs --tls-client-ca") }
            if demand != nil { settings.reject("tls-client-certificates", "needs --tls-client-ca") }
            return .none
        }
        return demand == .request
            ? .request(authorities: authorities, revocations: revocations)
            : .require(authorities: authorities, revocations: revocations)
    }
}
