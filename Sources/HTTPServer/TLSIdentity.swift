import COpenSSL

/// Who a server says it is: its certificate, those that lead to its authority, its key.
struct TLSIdentity: Sendable {
    let certificate: Certificate
    let chain: [Certificate]
    let key: PrivateKey
    /// What the log should know of it, for people.
    let warnings: [String]

    init(certificate: Certificate, chain: [Certificate], key: PrivateKey, warnings: [String] = []) {
        self.certificate = certificate
        self.chain = chain
        self.key = key
        self.warnings = warnings
    }

    /// Reads the files; throws all that is wrong with them.
    init(certificate: String, key: String) throws(TLSError) {
        var problems: [String] = []
        let certificates = collect(&problems) { () throws(TLSError) in
            try PEMFile(certificate, "TLS certificate").certificates()
        }
        let privateKey = collect(&problems) { () throws(TLSError) in
            try PEMFile(key, "TLS private key").privateKey()
        }
        guard let certificates, let leaf = certificates.first, let privateKey else {
            throw TLSError(problems)
        }
        ERR_clear_error()
        guard X509_check_private_key(leaf.raw, privateKey.raw) == 1 else {
            ERR_clear_error()
            throw TLSError(
                "TLS private key \(key): doesn't belong to the first certificate in \(certificate)"
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

/// The value, or nil and its problems noted.
func collect<Value>(_ problems: inout [String], _ body: () throws(TLSError) -> Value) -> Value? {
    do {
        return try body()
    } catch {
        problems += error.problems
        return nil
    }
}
