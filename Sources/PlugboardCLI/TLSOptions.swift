import ArgumentParser
import Plugboard

/// The options of `serve` that make it speak HTTPS.
struct TLSOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Speaks HTTPS with the certificate in this PEM file, its chain behind it. Given several \
            times: with the one for the name that a client asks for, the first if there is none.
            """,
            valueName: "file"
        )
    )
    var tlsCert: [String] = []

    @Option(
        help: ArgumentHelp(
            "The certificate's private key, a PEM file; as many as certificates, in their order.",
            valueName: "file"
        )
    )
    var tlsKey: [String] = []

    @Option(
        help: ArgumentHelp(
            "Takes clients with a certificate that these authorities vouch for, a PEM file.",
            valueName: "file"
        )
    )
    var tlsClientCa: String?

    @Option(
        help: ArgumentHelp(
            "Refuses clients whose certificate is on the authorities' revocation lists, a PEM file.",
            valueName: "file"
        )
    )
    var tlsClientCrl: String?

    @Option(
        help: """
            Whether clients must show a certificate (require) or may (request). (default: require)
            """
    )
    var tlsClientCertificates: Demand?

    @Flag(help: "Speaks HTTPS with a certificate for localhost that is made anew at each start.")
    var devTls = false

    enum Demand: String, ExpressibleByArgument, LosslessStringConvertible, CaseIterable {
        case request, require

        init?(_ description: String) { self.init(rawValue: description) }

        var description: String { rawValue }
    }

    /// The settings, with those from the environment; nil for plain HTTP.
    func resolved() throws -> Server.Configuration.TLS? {
        let isDevelopment = try devTls || Environment.resolve(nil, "DEV_TLS", default: false)
        let certificates = Environment.resolve(tlsCert, "TLS_CERT")
        let keys = Environment.resolve(tlsKey, "TLS_KEY")
        let clients = try clients()
        if isDevelopment {
            guard certificates.isEmpty, keys.isEmpty else {
                throw ValidationError("--dev-tls makes its own certificate: leave --tls-cert out")
            }
            return .init(.development, clients: clients)
        }
        guard !certificates.isEmpty || !keys.isEmpty else {
            guard clients == .none else {
                throw ValidationError("--tls-client-ca: needs --tls-cert and --tls-key")
            }
            return nil
        }
        if certificates.isEmpty { throw ValidationError("--tls-key: needs --tls-cert, too") }
        if keys.isEmpty { throw ValidationError("--tls-cert: needs --tls-key, too") }
        guard certificates.count == keys.count else {
            throw ValidationError(
                "--tls-cert: \(certificates.count) certificates need as many keys, not \(keys.count)"
            )
        }
        var tls = Server.Configuration.TLS(clients: clients)
        tls.identities = zip(certificates, keys).map { .files(certificate: $0, key: $1) }
        return tls
    }

    private func clients() throws -> Server.Configuration.TLS.ClientCertificates {
        let authorities = tlsClientCa ?? Environment.value("TLS_CLIENT_CA")
        let revocations = tlsClientCrl ?? Environment.value("TLS_CLIENT_CRL")
        let demand = try Environment.resolve(
            tlsClientCertificates,
            "TLS_CLIENT_CERTIFICATES",
            default: Demand.require
        )
        guard let authorities else {
            guard tlsClientCertificates == nil else {
                throw ValidationError("--tls-client-certificates: needs --tls-client-ca")
            }
            guard revocations == nil else {
                throw ValidationError("--tls-client-crl: needs --tls-client-ca")
            }
            return .none
        }
        return demand == .request
            ? .request(authorities: authorities, revocations: revocations)
            : .require(authorities: authorities, revocations: revocations)
    }
}
