import COpenSSL

extension TLSIdentity {
    /// The validity of a development certificate in days: longer than a typical process lives,
    /// short enough to limit a forgotten one.
    private static let days = 30

    /// Creates a self-signed certificate for localhost and its EC P-256 key, in memory only.
    static func development() throws(TLSError) -> TLSIdentity {
        ERR_clear_error()
        guard let key = copenssl_generate_p256(), let raw = X509_new() else {
            throw failure()
        }
        let (privateKey, certificate) = (PrivateKey(owning: key), Certificate(owning: raw))
        X509_set_version(raw, 2)  // Counted from 0: version 3.
        guard setSerial(raw) else { throw failure() }
        // Allows for clocks of test devices that are up to an hour slow.
        X509_gmtime_adj(X509_getm_notBefore(raw), -3600)
        X509_gmtime_adj(X509_getm_notAfter(raw), days * 24 * 3600)
        X509_set_pubkey(raw, key)
        let name = X509_get_subject_name(raw)
        X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, "localhost", -1, -1, 0)
        X509_set_issuer_name(raw, name)
        let extensions: [(CInt, String)] = [
            (NID_basic_constraints, "critical,CA:FALSE"),
            (NID_key_usage, "critical,digitalSignature"),
            (NID_ext_key_usage, "serverAuth"),
            (NID_subject_alt_name, "DNS:localhost,IP:127.0.0.1,IP:::1"),
        ]
        for (id, value) in extensions {
            guard let field = X509V3_EXT_conf_nid(nil, nil, id, value) else { throw failure() }
            defer { X509_EXTENSION_free(field) }
            guard X509_add_ext(raw, field, -1) == 1 else { throw failure() }
        }
        guard X509_sign(raw, key, EVP_sha256()) > 0 else { throw failure() }
        return TLSIdentity(certificate: certificate, chain: [], key: privateKey)
    }

    /// Sets a random serial number.
    ///
    /// Browsers reject a second certificate with the same issuer and number (RFC 5280 §4.1.2.2).
    private static func setSerial(_ certificate: OpaquePointer) -> Bool {
        let number = BN_new()
        defer { BN_free(number) }
        return BN_rand(number, 127, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY) == 1
            && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nil
    }

    private static func failure() -> TLSError {
        TLSError("can't create a development certificate: \(OpenSSLErrors.take() ?? "no memory")")
    }
}
