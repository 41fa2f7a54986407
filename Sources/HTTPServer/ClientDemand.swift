import COpenSSL

/// What clients have to show of themselves, read from its files.
struct ClientDemand: Sendable {
    /// Those that vouch for clients; none where clients are asked for nothing.
    private(set) var authorities: [Certificate] = []
    /// What the authorities have revoked; where there is any list, a certificate that none tells of
    /// is refused.
    private(set) var revocations: [RevocationList] = []
    /// A client without a certificate is refused.
    private(set) var isRequired = false
    /// What the log should know of it, for people.
    private(set) var warnings: [String] = []

    /// Reads the files; throws all that is wrong with them.
    init(_ clients: TLSConfiguration.ClientCertificates) throws(TLSError) {
        guard let path = clients.authorities else { return }
        if case .require = clients { isRequired = true }
        var problems: [String] = []
        let authorities = collect(&problems) { () throws(TLSError) in
            try PEMFile(path, "TLS client authorities").certificates()
        }
        self.authorities = authorities ?? []
        if let path = clients.revocations {
            let lists = collect(&problems) { () throws(TLSError) in
                try PEMFile(path, "TLS revocation lists").revocationLists()
            }
            revocations = lists ?? []
            warnings = revocations.compactMap(\.dateWarning).map {
                "TLS revocation lists \(path): one \($0)"
            }
        }
        guard problems.isEmpty else { throw TLSError(problems) }
    }
}
