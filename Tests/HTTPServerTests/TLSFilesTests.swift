import Glibc
import TestCertificates
import TestLog
import Testing

@testable import HTTPServer

@Suite("TLS certificate files", .timeLimit(.minutes(5)))
struct TLSFilesTests {
    /// Runs `body` with a folder whose files `cert` and `key` fit, and their configuration.
    private func withFiles(
        _ identity: TestCertificate,
        _ body: (String, TLSConfiguration) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            try replace(folder + "/cert", identity.certificateText)
            try replace(folder + "/key", identity.keyText)
            let files = TLSConfiguration.Identity.files(
                certificate: folder + "/cert",
                key: folder + "/key"
            )
            try await body(folder, TLSConfiguration(identity: files))
        }
    }

    private func problems(_ configuration: TLSConfiguration) -> [String] {
        do throws(TLSError) {
            _ = try TLSContext(configuration)
            return []
        } catch {
            return error.problems
        }
    }

    @Test("a certificate file may contain its chain")
    func chain() async throws {
        let root = try TestCertificate("root", isAuthority: true)
        let middle = try TestCertificate("middle", issuer: root, isAuthority: true)
        let leaf = try TestCertificate("leaf", issuer: middle)
        try await withFiles(leaf) { folder, configuration in
            try replace(folder + "/cert", leaf.certificateText + middle.certificateText)
            let context = try TLSContext(configuration)
            #expect(context.fingerprint == leaf.certificate.fingerprint)
            #expect(context.warnings.isEmpty)
        }
    }

    @Test("one error lists all problems")
    func missing() {
        let configuration = TLSConfiguration(
            identity: .files(certificate: "/nowhere/cert", key: "/nowhere/key"),
            clients: .require(authorities: "/nowhere/ca")
        )
        #expect(
            problems(configuration) == [
                "TLS certificate /nowhere/cert: No such file or directory",
                "TLS private key /nowhere/key: No such file or directory",
                "TLS client authorities /nowhere/ca: No such file or directory",
            ]
        )
    }

    @Test("a key that doesn't match the certificate is rejected")
    func mismatch() async throws {
        let (one, other) = (try TestCertificate("one"), try TestCertificate("other"))
        try await withFiles(one) { folder, configuration in
            try replace(folder + "/key", other.keyText)
            let told = problems(configuration)
            #expect(told.count == 1)
            #expect(told.first?.contains("doesn't match the first certificate") == true)
        }
    }

    @Test("an encrypted key is rejected with a remedy, without a passphrase prompt")
    func encrypted() async throws {
        let identity = try TestCertificate("one")
        try await withFiles(identity) { folder, configuration in
            try replace(folder + "/key", identity.encryptedKeyText)
            let told = problems(configuration)
            #expect(told.count == 1)
            #expect(told.first?.contains("is encrypted") == true)
        }
    }

    @Test(
        "files with other contents are rejected, each with its path",
        arguments: ["", "no PEM", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"]
    )
    func garbage(text: String) async throws {
        try await withFiles(TestCertificate("one")) { folder, configuration in
            try replace(folder + "/cert", text)
            try replace(folder + "/key", text)
            let told = problems(configuration)
            #expect(told.count == 2)
            #expect(told.first?.hasPrefix("TLS certificate \(folder)/cert: ") == true)
            #expect(told.last?.hasPrefix("TLS private key \(folder)/key: contains no PEM") == true)
        }
    }

    @Test("a broken certificate after a valid one is rejected, not skipped")
    func brokenChain() async throws {
        let identity = try TestCertificate("one")
        try await withFiles(identity) { folder, configuration in
            let broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
            try replace(folder + "/cert", identity.certificateText + broken)
            #expect(problems(configuration).first?.contains("certificate 2: ") == true)
        }
    }

    @Test("a folder at a file's path is rejected")
    func folder() async throws {
        try await withFiles(TestCertificate("one")) { folder, configuration in
            let other = TLSConfiguration(
                identity: .files(certificate: folder, key: folder + "/key")
            )
            #expect(problems(other) == ["TLS certificate \(folder): Is a directory"])
        }
    }

    @Test("an expired certificate and one that isn't valid yet have a warning")
    func dates() async throws {
        let expired = try TestCertificate("old", seconds: -7200...(-3600))
        try await withFiles(expired) { _, configuration in
            let warnings = try TLSContext(configuration).warnings
            #expect(warnings.first?.contains("expired on") == true)
        }
        let early = try TestCertificate("new", seconds: 3600...7200)
        try await withFiles(early) { _, configuration in
            let warnings = try TLSContext(configuration).warnings
            #expect(warnings.first?.contains("valid from") == true)
        }
    }

    @Test("each development certificate is new")
    func development() throws {
        let contexts = try (0..<2).map { _ in
            try TLSContext(TLSConfiguration(identity: .development))
        }
        #expect(contexts[0].fingerprint != contexts[1].fingerprint)
        #expect(contexts[0].fingerprint.count == 32 * 3 - 1)
    }

    @Test("a new certificate goes live once its key matches; until then the last valid one stays")
    func refresh() async throws {
        let (old, new) = (try TestCertificate("old"), try TestCertificate("new"))
        try await withFiles(old) { folder, configuration in
            let files = try TLSFiles(configuration, logger: .silent)
            #expect(files.refresh() == nil)
            #expect(files.context.fingerprint == old.certificate.fingerprint)
            // The certificate first, its key a look later.
            try replace(folder + "/cert", new.certificateText)
            #expect(files.refresh() == nil)
            try replace(folder + "/key", new.keyText)
            #expect(files.refresh()?.fingerprint == new.certificate.fingerprint)
            #expect(files.refresh() == nil)

            try replace(folder + "/key", old.keyText)
            for _ in 0..<3 { #expect(files.refresh() == nil) }
            #expect(files.context.fingerprint == new.certificate.fingerprint)
            #expect(files.reload() == nil)
            try replace(folder + "/cert", old.certificateText)
            #expect(files.reload()?.fingerprint == old.certificate.fingerprint)
        }
    }

    @Test("files that don't match are logged once, after two checks")
    func unusable() async throws {
        let (old, new) = (try TestCertificate("old"), try TestCertificate("new"))
        try await withFiles(old) { folder, configuration in
            let journal = Journal()
            let files = try TLSFiles(configuration, logger: journal.logger)
            try replace(folder + "/cert", new.certificateText)
            files.refresh()
            #expect(!journal.lines.contains { $0.hasPrefix("error") })
            for _ in 0..<3 { files.refresh() }
            #expect(journal.lines.count { $0.hasPrefix("error") } == 1)
        }
    }

    @Test("after files vanish the last valid certificate stays live")
    func vanish() async throws {
        let identity = try TestCertificate("one")
        try await withFiles(identity) { folder, configuration in
            let files = try TLSFiles(configuration, logger: .silent)
            unlink(folder + "/key")
            for _ in 0..<3 { #expect(files.refresh() == nil) }
            #expect(files.context.fingerprint == identity.certificate.fingerprint)
            try replace(folder + "/key", identity.keyText)
            #expect(files.refresh() != nil)
        }
    }
}
