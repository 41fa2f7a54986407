import COpenSSL

/// A certificate with its key, made for a test.
///
/// `@unchecked Sendable`: it isn't changed once it is made.
package final class TestCertificate: @unchecked Sendable {
    /// OpenSSL's certificate, which is this one's.
    package let x509: OpaquePointer
    private let key: OpaquePointer

    package struct Failure: Error {}

    /// Makes one that `issuer` signs, or itself; valid for these seconds from now.
    ///
    /// `names` are alternative ones as OpenSSL's configuration writes them: `DNS:a,IP:127.0.0.1`.
    package init(
        _ name: String,
        issuer: TestCertificate? = nil,
        isAuthority: Bool = false,
        isRSA: Bool = false,
        names: String? = nil,
        serial: Int = .random(in: 1...Int.max),
        seconds: ClosedRange<Int> = -60...3600
    ) throws {
        guard let key = isRSA ? copenssl_generate_rsa() : copenssl_generate_p256(),
            let raw = X509_new()
        else {
            throw Failure()
        }
        X509_set_version(raw, 2)
        ASN1_INTEGER_set(X509_get_serialNumber(raw), serial)
        X509_gmtime_adj(X509_getm_notBefore(raw), seconds.lowerBound)
        X509_gmtime_adj(X509_getm_notAfter(raw), seconds.upperBound)
        X509_set_pubkey(raw, key)
        let subject = X509_get_subject_name(raw)
        // With its length: a name may have a NUL in it.
        let bytes = Array(name.utf8)
        let length = CInt(bytes.count)
        X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, bytes, length, -1, 0)
        X509_set_issuer_name(
            raw,
            issuer.map { X509_get_subject_name($0.x509) } ?? subject
        )
        let kind = isAuthority ? "critical,CA:TRUE" : "critical,CA:FALSE"
        let extensions = [(NID_basic_constraints, kind), (NID_subject_alt_name, names)]
        for case (let id, let value?) in extensions {
            let field = X509V3_EXT_conf_nid(nil, nil, id, value)
            X509_add_ext(raw, field, -1)
            X509_EXTENSION_free(field)
        }
        X509_sign(raw, issuer?.key ?? key, EVP_sha256())
        (x509, self.key) = (raw, key)
    }

    deinit {
        X509_free(x509)
        EVP_PKEY_free(key)
    }

    package var certificateText: String {
        text { PEM_write_bio_X509($0, x509) }
    }

    package var keyText: String {
        text { PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil) }
    }

    package var encryptedKeyText: String {
        text {
            PEM_write_bio_PKCS8PrivateKey($0, key, EVP_aes_128_cbc(), "secret", 6, nil, nil)
        }
    }

    /// A list of what this authority has revoked, to be replaced after so many seconds.
    package func revocationList(_ revoked: TestCertificate..., seconds: Int = 3600) -> String {
        let list = X509_CRL_new()
        defer { X509_CRL_free(list) }
        X509_CRL_set_version(list, 1)
        X509_CRL_set_issuer_name(list, X509_get_subject_name(x509))
        let time = ASN1_TIME_new()
        defer { ASN1_TIME_free(time) }
        X509_gmtime_adj(time, min(seconds, 0) - 60)
        X509_CRL_set1_lastUpdate(list, time)
        for certificate in revoked {
            let entry = X509_REVOKED_new()
            X509_REVOKED_set_serialNumber(
                entry,
                X509_get_serialNumber(certificate.x509)
            )
            X509_REVOKED_set_revocationDate(entry, time)
            X509_CRL_add0_revoked(list, entry)
        }
        X509_gmtime_adj(time, seconds)
        X509_CRL_set1_nextUpdate(list, time)
        X509_CRL_sign(list, key, EVP_sha256())
        return text { PEM_write_bio_X509_CRL($0, list) }
    }

    private func text(_ write: (OpaquePointer?) -> CInt) -> String {
        let bio = BIO_new(BIO_s_mem())
        defer { BIO_free(bio) }
        _ = write(bio)
        var bytes: UnsafeMutablePointer<CChar>?
        let count = copenssl_memory(bio, &bytes)
        return String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// Has a client show it.
    package func show(by context: OpaquePointer) {
        SSL_CTX_use_certificate(context, x509)
        SSL_CTX_use_PrivateKey(context, key)
    }
}
