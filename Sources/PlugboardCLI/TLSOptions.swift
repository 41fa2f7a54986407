import ArgumentParser
import Plugboard

/// The options of `serve` that make it speak HTTPS.
struct TLSOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Speaks HTTPS with the certificate in this PEM file, its chain behind it.",
            valueName: "file"
        )
    )
    var tlsCert: String?

    @Option(help: ArgumentHelp("The certificate's private key, a PEM file.", valueName: "file"))
    var tlsKey: String?

    @Option(
        help: ArgumentHelp(
            "Takes clients with a certificate that these authorities vouch for, a PEM file.",
            valueName: "file"
        )
    )
    var tlsClientCa: String?

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
        let certificate = tlsCert ?? Environment.value("TLS_CERT")
        let key = tlsKey ?? Environment.value("TLS_KEY")
        let clients = try clients()
        switch (certificate, key, isDevelopment) {
        case (let certificate?, let key?, false):
            return .init(.files(certificate: certificate, key: key), clients: clients)
        case (nil, nil, true): return .init(.development, clients: clients)
        case (nil, nil, false):
            guard clients == .none else {
                throw ValidationError("--tls-client-ca: needs --tls-cert and --tls-key")
            }
            return nil
        case (_, _, true):
            throw ValidationError("--dev-tls makes its own certificate: leave --tls-cert out")
        case (nil, _, false): throw ValidationError("--tls-key: needs --tls-cert, too")
        case (_, nil, false): throw ValidationError("--tls-cert: needs --tls-key, too")
        }
    }

    private func clients() throws -> Server.Configuration.TLS.ClientCertificates {
        let authorities = tlsClientCa ?? Environment.value("TLS_CLIENT_CA")
        let demand = try Environment.resolve(
            tlsClientCertificates,
            "TLS_CLIENT_CERTIFICATES",
            default: Demand.require
        )
        guard let authorities else {
            guard tlsClientCertificates == nil else {
                throw ValidationError("--tls-client-certificates: needs --tls-client-ca")
            }
            return .none
        }
        return demand == .request
            ? .request(authorities: authorities) : .require(authorities: authorities)
    }
}
