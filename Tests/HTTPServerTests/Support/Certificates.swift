import System
import COpenSSL
import Glibc
import TestCertificates

@testable import HTTPServer

extension TestCertificate {
    /// The certificate as the server has them.
    var certificate: Certificate {
        X509_up_ref(x509)
        return Certificate(owning: x509)
    }
}

/// Replaces a file by a new one, as certificate tools do.
func replace(_ path: String, _ text: String) throws {
    let new = path + ".new"
    let descriptor = FileDescriptor(open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600))
    let bytes = Array(text.utf8)
    guard write(descriptor.raw, bytes, bytes.count) == bytes.count, rename(new, path) == 0 else {
        throw SystemError("write \(path)")
    }
}
