import Glibc
import TestCertificates
import Testing

@testable import HTTPServer

@Suite("Certificates and revocation lists (RFC 5280)")
struct CertificateTests {
    @Test("the fingerprint is the SHA-256 digest as 32 pairs of digits")
    func fingerprint() throws {
        let certificate = try TestCertificate("a").certificate
        let pairs = certificate.fingerprint.split(separator: ":")
        #expect(pairs.map { UInt8($0, radix: 16) } == certificate.digest.map(UInt8?.some))
        #expect(pairs.allSatisfy { $0.count == 2 && $0 == $0.uppercased() })
        #expect(certificate.digest.count == 32)
    }

    @Test("different certificates have different digests")
    func digest() throws {
        let digests = try (0..<3).map { _ in try TestCertificate("a").certificate.digest }
        #expect(Set(digests).count == 3)
    }

    @Test("a valid certificate has no warning (§4.1.2.5)")
    func valid() throws {
        #expect(try TestCertificate("a").certificate.dateWarning == nil)
    }

    @Test("an expired certificate and one that isn't valid yet have a warning (§4.1.2.5)")
    func dates() throws {
        let expired = try TestCertificate("a", seconds: -7200...(-3600)).certificate
        #expect(expired.dateWarning?.hasPrefix("expired on ") == true)
        let future = try TestCertificate("a", seconds: 3600...7200).certificate
        #expect(future.dateWarning?.hasPrefix("is valid from ") == true)
    }

    @Test("an identity ends with the first certificate of its chain (RFC 5280 §6.1)")
    func ends() async throws {
        let issuer = try TestCertificate("issuer", isAuthority: true, seconds: -60...600)
        let leaf = try TestCertificate("leaf", issuer: issuer, seconds: -60...3600)
        try await withFolder { folder in
            let (file, key) = (folder + "/cert", folder + "/key")
            try replace(key, leaf.keyText)
            for (text, seconds) in [
                (leaf.certificateText, 3600),
                (leaf.certificateText + issuer.certificateText, 600),
            ] {
                try replace(file, text)
                let identity = try TLSIdentity(certificate: file, key: key)
                #expect(abs(identity.end - time(nil) - seconds) < 60)
            }
        }
    }

    @Test("a revocation list after its next update has a warning (§5.1.2.5)")
    func lists() async throws {
        let authority = try TestCertificate("authority", isAuthority: true)
        try await withFolder { folder in
            let path = folder + "/revoked"
            for (seconds, isExpired) in [(3600, false), (-60, true)] {
                try replace(path, authority.revocationList(seconds: seconds))
                let lists = try PEMFile(path, "list").revocationLists()
                #expect(lists.count == 1)
                #expect((lists[0].dateWarning != nil) == isExpired)
            }
        }
    }
}
