import TestCertificates
import Testing

@testable import HTTPServer

@Suite("PEM files (RFC 7468)")
struct PEMFileTests {
    private static let broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"

    private func withFile(_ text: String, _ body: (String) throws -> Void) async throws {
        try await withFolder { folder in
            let path = folder + "/cert"
            try replace(path, text)
            try body(path)
        }
    }

    private func problems(_ body: () throws(TLSError) -> Void) -> [String] {
        do throws(TLSError) {
            try body()
            return []
        } catch {
            return error.problems
        }
    }

    @Test("certificates are read in file order, and the text between them is ignored (§2)")
    func certificates() async throws {
        let (one, other) = (try TestCertificate("one"), try TestCertificate("other"))
        let text = "subject: one\n\(one.certificateText)\nsubject: other\n\(other.certificateText)"
        try await withFile(text) { path in
            let read = try PEMFile(path, "file").certificates()
            let expected = [one, other].map(\.certificate.fingerprint)
            #expect(read.map(\.fingerprint) == expected)
        }
    }

    @Test("one file may have a certificate and its key")
    func both() async throws {
        let one = try TestCertificate("one")
        try await withFile(one.keyText + one.certificateText) { path in
            let certificates = try PEMFile(path, "file").certificates()
            #expect(certificates.count == 1)
            _ = try PEMFile(path, "file").privateKey()
        }
    }

    @Test("a broken object is an error with its number, even after valid ones")
    func broken() async throws {
        let one = try TestCertificate("one")
        try await withFile(one.certificateText + Self.broken) { path in
            let problems = problems { () throws(TLSError) in
                _ = try PEMFile(path, "the file").certificates()
            }
            #expect(problems.count == 1)
            #expect(problems.first?.hasPrefix("the file \(path): certificate 2: ") == true)
        }
    }

    @Test("a file without the object is an error", arguments: ["", "no PEM", "-----BEGIN"])
    func empty(text: String) async throws {
        try await withFile(text) { path in
            let name = "the file \(path)"
            let certificates = problems { () throws(TLSError) in
                _ = try PEMFile(path, "the file").certificates()
            }
            #expect(certificates == ["\(name): contains no PEM certificate"])
            let lists = problems { () throws(TLSError) in
                _ = try PEMFile(path, "the file").revocationLists()
            }
            #expect(lists == ["\(name): contains no PEM revocation list"])
            let key = problems { () throws(TLSError) in
                _ = try PEMFile(path, "the file").privateKey()
            }
            #expect(key.first?.hasPrefix("\(name): contains no PEM private key") == true)
        }
    }

    @Test("an encrypted key is an error with a remedy")
    func encrypted() async throws {
        try await withFile(TestCertificate("one").encryptedKeyText) { path in
            let problems = problems { () throws(TLSError) in
                _ = try PEMFile(path, "the key").privateKey()
            }
            #expect(problems.first?.contains("openssl pkey") == true)
        }
    }

    @Test("a missing file and a folder are errors with the system's reason")
    func unreadable() {
        for (path, reason) in [
            ("/nowhere/x", "No such file or directory"), ("/", "Is a directory"),
        ] {
            let problems = problems { () throws(TLSError) in
                _ = try PEMFile(path, "the file")
            }
            #expect(problems == ["the file \(path): \(reason)"])
        }
    }
}
