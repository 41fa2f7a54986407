import COpenSSL

/// A server's certificate, its chain to the authority, and its key.
struct TLSIdentity: Sendable {
    let certificate: Certificate
    let chain: [Certificate]
    let key: PrivateKey
    /// Warnings for the log.
    let warnings: [String]

    init(certificate: Certificate, chain: [Certificate], key: PrivateKey, warnings: [String] = []) {
        self.certificate = certificate
        self.chain = chain
        self.key = key
        self.warnings = warnings
    }

    /// The time at which the certificate or one of its chain expires, in seconds since 1970.
    var end: Int {
        chain.reduce(Certificate.end(of: certificate.raw)) { min($0, Certificate.end(of: $1.raw)) }
    }

    /// Reads the files; throws one error with all problems.
    init(certificate: String, key: String) throws(TLSError) {
        var problems: [String] = []
        let certificates = collectProblems(into: &problems) { () throws(TLSError) in
            try PEMFile(certificate, "TLS certificate").certificates()
        }
        let privateKey = collectProblems(into: &problems) { () throws(TLSError) in
            try PEMFile(key, "TLS private key").privateKey()
        }
        guard let certificates, let leaf = certificates.first, let privateKey else {
            throw TLSError(problems)
        }
        ERR_clear_error()
        guard X509_check_private_key(leaf.raw, privateKey.raw) == 1 else {
            ERR_clear_error()
            throw TLSError(
                "TLS private key \(key): doesn't match the first certificate in \(certificate)"
            )
        }
        self.init(
            certificate: leaf,
            chain: Array(certificates.dropFirst()),
            key: privateKey,
            warnings: leaf.dateWarning.map { ["TLS certificate \(certificate): \($0)"] } ?? []
        )
    }
}
