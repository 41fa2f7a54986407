#if canImport(Glibc) || canImport(Musl)
import COpenSSL

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The certificate authorities that clients on this system trust.
package struct SystemAuthorities: Sendable, Equatable {
    /// The PEM file in which OpenSSL looks: `SSL_CERT_FILE`, else the default.
    package let file: String
    /// The folder in which OpenSSL looks: `SSL_CERT_DIR`, else the default.
    package let folder: String
    /// The number of certificates in the file; 0 if it is missing or unreadable.
    package let fileCount: Int
    /// The number of certificates in the folder.
    package let folderCount: Int

    package init(file: String, folder: String, fileCount: Int, folderCount: Int) {
        self.file = file
        self.folder = folder
        self.fileCount = fileCount
        self.folderCount = folderCount
    }

    /// Looks in the places of this process's OpenSSL.
    package static func find() -> SystemAuthorities {
        let file = place(X509_get_default_cert_file_env(), X509_get_default_cert_file())
        let folder = place(X509_get_default_cert_dir_env(), X509_get_default_cert_dir())
        return SystemAuthorities(
            file: file,
            folder: folder,
            fileCount: certificates(in: file),
            // Several folders are separated by colons.
            folderCount: folder.split(separator: ":").reduce(0) { $0 + links(in: String($1)) }
        )
    }

    private static func place(
        _ variable: UnsafePointer<CChar>?,
        _ standard: UnsafePointer<CChar>?
    ) -> String {
        variable.flatMap { getenv($0) }.map { String(cString: $0) }
            ?? standard.map { String(cString: $0) } ?? ""
    }

    private static func certificates(in file: String) -> Int {
        ERR_clear_error()
        defer { ERR_clear_error() }
        guard let bio = BIO_new_file(file, "r") else { return 0 }
        defer { BIO_free(bio) }
        var count = 0
        while let certificate = PEM_read_bio_X509_AUX(bio, nil, nil, nil) {
            X509_free(certificate)
            count += 1
        }
        return count
    }

    /// Counts a folder's files that are named by a certificate's hash, as OpenSSL reads them.
    private static func links(in folder: String) -> Int {
        guard let directory = opendir(folder) else { return 0 }
        defer { closedir(directory) }
        var count = 0
        while let entry = readdir(directory) {
            let isHash = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                let name = bytes.prefix { $0 != 0 }
                return name.count == 10 && name.dropFirst(8).first == UInt8(ascii: ".")
                    && name.prefix(8).allSatisfy { Unicode.Scalar($0).properties.isASCIIHexDigit }
            }
            if isHash { count += 1 }
        }
        return count
    }
}
#endif
