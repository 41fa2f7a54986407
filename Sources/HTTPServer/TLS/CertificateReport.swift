import COpenSSL

/// The state of a server's certificate and its chain, for an operator.
package struct CertificateReport: Sendable, Equatable {
    /// The certificate's subject (RFC 4514).
    package let subject: String
    /// The host names for which clients accept it.
    package let hostNames: [String]
    /// The beginning of the validity in seconds since 1970.
    package let begin: Int
    /// The end of the validity in seconds since 1970.
    package let end: Int
    /// The other certificates of the file, the issuer of the first one first.
    package let chain: [Link]
    /// The state of the way to an authority.
    package let trust: Trust

    /// A certificate of the chain.
    package struct Link: Sendable, Equatable {
        package let subject: String
        /// The end of its validity in seconds since 1970.
        package let end: Int

        package init(subject: String, end: Int) {
            self.subject = subject
            self.end = end
        }
    }

    /// The ways to an authority that clients trust.
    package enum Trust: Sendable, Equatable {
        /// The certificate has signed itself: each client must know it.
        case selfSigned
        /// The file ends with a self-signed authority, or an authority of this system has issued
        /// the last certificate.
        case complete
        /// An authority that this system doesn't know has issued the last certificate.
        case unknownAuthority(String)
        /// The last certificate says where its issuer is published, so the issuer is probably
        /// an intermediate authority, which clients need from the server.
        case missingIssuer(String)
        /// The certificate of this number, counted from 1, hasn't issued the one before it.
        case brokenAt(Int)
    }

    package init(
        subject: String,
        hostNames: [String],
        begin: Int,
        end: Int,
        chain: [Link],
        trust: Trust
    ) {
        self.subject = subject
        self.hostNames = hostNames
        self.begin = begin
        self.end = end
        self.chain = chain
        self.trust = trust
    }

    /// Describes an identity.
    init(_ identity: TLSIdentity) {
        let leaf = identity.certificate
        self.init(
            subject: leaf.subject,
            hostNames: leaf.hostNames,
            begin: leaf.begin,
            end: leaf.end,
            chain: identity.chain.map { Link(subject: $0.subject, end: $0.end) },
            trust: Self.trust([leaf] + identity.chain)
        )
    }

    private static func trust(_ certificates: [Certificate]) -> Trust {
        for (index, issuer) in certificates.enumerated().dropFirst()
        where !certificates[index - 1].isIssued(by: issuer) { return .brokenAt(index + 1) }
        guard let last = certificates.last, !last.isIssued(by: last) else {
            return certificates.count == 1 ? .selfSigned : .complete
        }
        if last.hasSystemIssuer { return .complete }
        return last.namesIssuersPlace
            ? .missingIssuer(last.issuerName) : .unknownAuthority(last.issuerName)
    }
}

extension TLSConfiguration.Identity {
    /// Reads the files, and describes the certificate; nil for a development certificate.
    ///
    /// - Throws: ``TLSError`` with the problems for which a server rejects the files.
    package func report() throws(TLSError) -> CertificateReport? {
        guard case .files(let certificate, let key) = self else { return nil }
        return CertificateReport(try TLSIdentity(certificate: certificate, key: key))
    }
}

extension Certificate {
    var end: Int { Self.end(of: raw) }

    fileprivate var issuerName: String { Self.nameText(X509_get_issuer_name(raw)) }

    /// Whether a certificate's name, key and purpose are those of this one's issuer.
    fileprivate func isIssued(by issuer: Certificate) -> Bool {
        X509_check_issued(issuer.raw, raw) == X509_V_OK && X509_verify(raw, issuer.key) == 1
    }

    private var key: OpaquePointer? { X509_get0_pubkey(raw) }

    /// Whether the system's authorities include the issuer.
    fileprivate var hasSystemIssuer: Bool {
        defer { ERR_clear_error() }
        guard let store = X509_STORE_new() else { return false }
        defer { X509_STORE_free(store) }
        guard let context = X509_STORE_CTX_new() else { return false }
        defer { X509_STORE_CTX_free(context) }
        guard X509_STORE_set_default_paths(store) == 1,
            X509_STORE_CTX_init(context, store, raw, nil) == 1
        else { return false }
        var issuer: OpaquePointer?
        guard X509_STORE_CTX_get1_issuer(&issuer, context, raw) == 1 else { return false }
        X509_free(issuer)
        return true
    }

    /// Whether the certificate has the address of its issuer's certificate (RFC 5280 §4.2.2.1).
    ///
    /// Public authorities add it, and sign with intermediate authorities.
    fileprivate var namesIssuersPlace: Bool { X509_get_ext_by_NID(raw, NID_info_access, -1) >= 0 }
}

/// The state of the authorities of client certificates, for an operator.
package struct ClientAuthoritiesReport: Sendable, Equatable {
    package let count: Int
    /// The end of the first authority to expire, in seconds since 1970.
    package let end: Int
    /// The number of revocation lists.
    package let revocations: Int
    /// The time at which the first authority has no current list; nil without lists.
    package let revocationsEnd: Int?

    package init(count: Int, end: Int, revocations: Int, revocationsEnd: Int?) {
        self.count = count
        self.end = end
        self.revocations = revocations
        self.revocationsEnd = revocationsEnd
    }
}

extension TLSConfiguration.ClientCertificates {
    /// Reads the files, and describes them; nil if the server requests no certificates.
    ///
    /// - Throws: ``TLSError`` with the problems for which a server rejects the files.
    package func report() throws(TLSError) -> ClientAuthoritiesReport? {
        guard self != .none else { return nil }
        let policy = try ClientCertificatePolicy(self)
        return ClientAuthoritiesReport(
            count: policy.authorities.count,
            end: policy.authorities.map(\.end).min() ?? 0,
            revocations: policy.revocations.count,
            revocationsEnd: policy.revocations.isEmpty ? nil : policy.firstListEnd
        )
    }
}
