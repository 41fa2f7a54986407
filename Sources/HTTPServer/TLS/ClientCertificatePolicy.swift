import COpenSSL

/// The client certificates that a server accepts or requires, read from files.
struct ClientCertificatePolicy: Sendable {
    /// The authorities that may sign client certificates; empty if the server requests none.
    private(set) var authorities: [Certificate] = []
    /// The authorities' revocation lists.
    ///
    /// If there is any, a certificate that no list covers is rejected.
    private(set) var revocations: [RevocationList] = []
    /// Rejects clients without a certificate.
    private(set) var isRequired = false
    /// Warnings for the log.
    private(set) var warnings: [String] = []

    /// The digests of authorities and revocation lists: equal ones accept the same clients.
    var trust: [[UInt8]] { authorities.map(\.digest) + revocations.map(\.digest) }

    /// The time at which the first authority has no current list, in seconds since 1970.
    var firstListEnd: Int { revocations.ends.min() ?? .max }

    /// Reads the files; throws one error with all problems.
    init(_ clients: TLSConfiguration.ClientCertificates) throws(TLSError) {
        guard let path = clients.authorities else { return }
        if case .require = clients { isRequired = true }
        var problems: [String] = []
        let authorities = collectProblems(into: &problems) { () throws(TLSError) in
            try PEMFile(path, "TLS client authorities").certificates()
        }
        self.authorities = authorities ?? []
        if let path = clients.revocations {
            let lists = collectProblems(into: &problems) { () throws(TLSError) in
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
