import System
import COpenSSL

/// A PEM file (RFC 7468), read into memory that is wiped afterwards.
struct PEMFile: ~Copyable {
    /// The size limit, larger than any chain and any system's list of authorities.
    private static let maximumSize = 4 * 1024 * 1024

    private let name: String
    private let bytes: [UInt8]

    /// Reads a file; errors call it `name`.
    init(_ path: String, _ name: String) throws(TLSError) {
        self.name = "\(name) \(path)"
        do throws(FileError) {
            bytes = try FileBytes.read(path, limit: Self.maximumSize)
        } catch {
            throw TLSError("\(self.name): \(error.reason)")
        }
    }

    deinit {
        // Nothing else refers to these bytes, and nothing reads them again.
        bytes.withUnsafeBytes {
            OPENSSL_cleanse(UnsafeMutableRawPointer(mutating: $0.baseAddress), $0.count)
        }
    }

    /// The certificates in file order.
    func certificates() throws(TLSError) -> [Certificate] {
        try all("certificate") { bio in
            PEM_read_bio_X509_AUX(bio, nil, nil, nil).map(Certificate.init)
        }
    }

    /// The certificate revocation lists in file order.
    func revocationLists() throws(TLSError) -> [RevocationList] {
        try all("revocation list") { bio in
            PEM_read_bio_X509_CRL(bio, nil, nil, nil).map(RevocationList.init)
        }
    }

    /// All objects of a kind in file order; throws if there is none.
    private func all<Thing>(
        _ kind: String,
        _ read: (OpaquePointer?) -> Thing?
    ) throws(TLSError) -> [Thing] {
        ERR_clear_error()
        let bio = BIO_new_mem_buf(bytes, CInt(bytes.count))
        defer { BIO_free(bio) }
        var things: [Thing] = []
        while let thing = read(bio) { things.append(thing) }
        // At the end of the file OpenSSL reports an error, too: no further start line.
        let error = ERR_peek_last_error()
        let isEnd =
            copenssl_error_library(error) == ERR_LIB_PEM
            && copenssl_error_reason(error) == PEM_R_NO_START_LINE
        let reason = OpenSSLErrors.take()
        guard isEnd else {
            throw TLSError("\(name): \(kind) \(things.count + 1): \(reason ?? "broken")")
        }
        guard !things.isEmpty else { throw TLSError("\(name): contains no PEM \(kind)") }
        return things
    }

    /// The private key.
    func privateKey() throws(TLSError) -> PrivateKey {
        ERR_clear_error()
        let bio = BIO_new_mem_buf(bytes, CInt(bytes.count))
        defer { BIO_free(bio) }
        var isEncrypted = false
        let key = withUnsafeMutablePointer(to: &isEncrypted) { isEncrypted in
            // Called for the passphrase of an encrypted key. The server can't prompt for it.
            PEM_read_bio_PrivateKey(
                bio,
                nil,
                { _, _, _, isEncrypted in
                    isEncrypted?.assumingMemoryBound(to: Bool.self).pointee = true
                    return -1
                },
                isEncrypted
            )
        }
        let reason = OpenSSLErrors.take()
        guard !isEncrypted else {
            throw TLSError(
                "\(name): is encrypted, and the server can't prompt for its passphrase. Decrypt "
                    + "it for the server alone: openssl pkey -in ENCRYPTED -out KEY"
            )
        }
        guard let key else {
            throw TLSError("\(name): contains no PEM private key (\(reason ?? "no key"))")
        }
        return PrivateKey(owning: key)
    }
}
