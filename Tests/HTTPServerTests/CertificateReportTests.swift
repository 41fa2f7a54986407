import Glibc
import TestCertificates
import Testing

@testable import HTTPServer

@Suite("The report of a certificate")
struct CertificateReportTests {
    /// Returns the report of a chain, the server's certificate first.
    private func report(_ chain: TestCertificate...) async throws -> CertificateReport {
        var report: CertificateReport?
        try await withFolder { folder in
            try replace(folder + "/cert", chain.map(\.certificateText).joined())
            try replace(folder + "/key", chain[0].keyText)
            let files = TLSConfiguration.Identity.files(
                certificate: folder + "/cert",
                key: folder + "/key"
            )
            report = try files.report()
        }
        return try #require(report)
    }

    @Test("it has the subject, the names and the dates")
    func content() async throws {
        let now = time(nil)
        let leaf = try TestCertificate(
            "leaf",
            names: "DNS:a.example,DNS:b.example",
            seconds: -60...90
        )
        let report = try await report(leaf)
        #expect(report.subject == "CN=leaf")
        #expect(report.hostNames == ["a.example", "b.example"])
        #expect((now - 65...now - 55).contains(report.begin))
        #expect((now + 85...now + 95).contains(report.end))
        #expect(report.chain.isEmpty)
        #expect(report.trust == .selfSigned)
    }

    @Test("a chain is complete if it ends with an authority, and broken if the order is wrong")
    func chain() async throws {
        let root = try TestCertificate("root", isAuthority: true)
        let middle = try TestCertificate(
            "middle",
            issuer: root,
            isAuthority: true,
            seconds: -60...7
        )
        let leaf = try TestCertificate("leaf", issuer: middle)
        let whole = try await report(leaf, middle, root)
        #expect(whole.trust == .complete)
        #expect(whole.chain.map(\.subject) == ["CN=middle", "CN=root"])
        #expect(whole.chain[0].end <= time(nil) + 7)
        #expect(try await report(leaf, middle).trust == .unknownAuthority("CN=root"))
        #expect(try await report(leaf).trust == .unknownAuthority("CN=middle"))
        #expect(try await report(leaf, root, middle).trust == .brokenAt(2))
        #expect(try await report(leaf, middle, leaf).trust == .brokenAt(3))
        // Another authority with the same name hasn't signed it.
        let other = try TestCertificate("middle", issuer: root, isAuthority: true)
        #expect(try await report(leaf, other).trust == .brokenAt(2))
    }

    @Test("a development certificate has no files, and so no report")
    func development() throws {
        #expect(try TLSConfiguration.Identity.development.report() == nil)
    }

    @Test("a wrong key is the same error as at the start")
    func key() async throws {
        let (one, other) = (try TestCertificate("one"), try TestCertificate("other"))
        try await withFolder { folder in
            try replace(folder + "/cert", one.certificateText)
            try replace(folder + "/key", other.keyText)
            let files = TLSConfiguration.Identity.files(
                certificate: folder + "/cert",
                key: folder + "/key"
            )
            let error = #expect(throws: TLSError.self) { try files.report() }
            #expect(error?.problems.first?.contains("doesn't match") == true)
        }
    }

    @Test("client authorities have the end of the first one, and of their lists")
    func clients() async throws {
        let early = try TestCertificate("early", isAuthority: true, seconds: -60...100)
        let late = try TestCertificate("late", isAuthority: true)
        try await withFolder { folder in
            try replace(folder + "/authorities", early.certificateText + late.certificateText)
            try replace(folder + "/revoked", early.revocationList(seconds: 50))
            let now = time(nil)
            typealias Clients = TLSConfiguration.ClientCertificates
            let plain = try #require(
                try Clients.request(authorities: folder + "/authorities").report()
            )
            #expect(plain.count == 2)
            #expect((now + 90...now + 110).contains(plain.end))
            #expect(plain.revocationsEnd == nil)
            let clients = Clients.require(
                authorities: folder + "/authorities",
                revocations: folder + "/revoked"
            )
            let listed = try #require(try clients.report())
            #expect(listed.revocations == 1)
            #expect(listed.revocationsEnd.map { (now + 40...now + 60).contains($0) } == true)
            #expect(try Clients.none.report() == nil)
            #expect(throws: TLSError.self) {
                try Clients.request(authorities: folder + "/none").report()
            }
        }
    }
}
