import COpenSSL

/// What clients have to show of themselves, read from its files.
struct ClientDemand: Sendable {
    /// Those that vouch for clients; none where clients are asked for nothing.
    var authorities: [Certificate] = []
    /// A client without a certificate is refused.
    var isRequired = false

    /// Reads the files; throws all that is wrong with them.
    init(_ clients: TLSConfiguration.ClientCertificates) throws(TLSError) {
        guard let path = clients.authorities else { return }
        if case .require = clients { isRequired = true }
        authorities = try PEMFile(path, "TLS client authorities").certificates()
    }
}
