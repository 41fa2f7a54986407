import HTTPServer
import PlugboardClient
import Testing

@testable import PlugboardCommand

@Suite("The check of certificates")
struct ServerChecksCertificatesTests {
    private let now = 1_795_780_800
    private static let day = 86_400

    private func report(
        begin: Int = -1,
        end: Int = 90 * day,
        names: [String] = ["a.example"],
        chain: [(String, Int)] = [],
        _ trust: CertificateReport.Trust = .complete
    ) -> CertificateReport {
        CertificateReport(
            subject: "CN=leaf",
            hostNames: names,
            begin: now + begin,
            end: now + end,
            chain: chain.map { .init(subject: $0, end: now + $1) },
            trust: trust
        )
    }

    private func findings(_ report: CertificateReport) -> [Finding] {
        ServerChecks.certificate("cert.pem", report, now: now)
    }

    @Test("a valid certificate has its names, its days and its issuer")
    func valid() {
        #expect(
            findings(report(names: ["a.example", "b", "c"]))
                == [
                    .ok(
                        "certificate",
                        "cert.pem (a.example and 2 more) is valid for 90 days, until 2027-02-25"
                    )
                ]
        )
        #expect(findings(report(.selfSigned)).first?.message.hasSuffix("self-signed") == true)
        let other = findings(report(.unknownAuthority("CN=ca")))
        #expect(other.map(\.status) == [.ok])
        #expect(other.first?.message.hasSuffix("issued by CN=ca, unknown to this system") == true)
    }

    @Test(
        "an end is a warning within 30 days, and an error after it",
        arguments: [
            (30 * day, Finding.Status.ok), (30 * day - 1, .warning), (1, .warning), (0, .error),
            (-400 * day, .error),
        ]
    )
    func end(seconds: Int, status: Finding.Status) throws {
        #expect(findings(report(end: seconds)).map(\.status) == [status])
        let chained = findings(report(chain: [("CN=middle", 90 * Self.day), ("CN=ca", seconds)]))
        #expect(chained.map(\.status) == [status])
        if status != .ok { #expect(chained.first?.message.contains("CN=ca") == true) }
    }

    @Test("an expired certificate says when, and how to renew it")
    func expired() throws {
        let finding = try #require(findings(report(end: -Self.day)).first)
        #expect(finding.message == "cert.pem (a.example) expired on 2026-11-26")
        #expect(finding.remedy?.hasPrefix("Renew it") == true)
    }

    @Test("a certificate of the future is an error")
    func future() {
        #expect(findings(report(begin: 60)).map(\.status) == [.error])
    }

    @Test("a certificate without a name, its issuer or its order is a warning")
    func incomplete() {
        let nameless = findings(report(names: []))
        #expect(nameless.map(\.status) == [.warning])
        #expect(nameless.first?.message.hasPrefix("cert.pem (CN=leaf) has no host name") == true)
        let lacking = findings(report(.missingIssuer("CN=R3")))
        #expect(lacking.map(\.message) == ["cert.pem lacks the certificate of its issuer CN=R3"])
        let broken = findings(report(.brokenAt(2)))
        #expect(broken.map(\.status) == [.warning])
        #expect(broken.first?.message.contains("certificate 2 hasn't issued certificate 1") == true)
    }

    @Test("client authorities and their lists must be current")
    func clients() {
        func findings(_ end: Int, _ listEnd: Int?) -> [Finding] {
            ServerChecks.clientAuthorities(
                ClientAuthoritiesReport(
                    count: 2,
                    end: now + end,
                    revocations: listEnd == nil ? 0 : 1,
                    revocationsEnd: listEnd.map { now + $0 }
                ),
                now: now
            )
        }
        #expect(findings(90 * Self.day, nil).map(\.message) == ["2 authorities until 2027-02-25"])
        #expect(findings(90 * Self.day, 60).map(\.status) == [.ok])
        #expect(findings(90 * Self.day, 0).map(\.status) == [.error])
        #expect(findings(Self.day, nil).map(\.status) == [.warning])
        #expect(findings(-1, -1).map(\.status) == [.error, .error])
    }

    @Test("missing authorities are an error only if an option has an https URL")
    func authorities() {
        func find(_ file: Int, _ folder: Int, isNeeded: Bool) -> Finding {
            let found = SystemAuthorities(
                file: "/f.pem",
                folder: "/d",
                fileCount: file,
                folderCount: folder
            )
            return ServerChecks.authorities(found, isNeeded: isNeeded)
        }
        #expect(find(2, 0, isNeeded: true) == .ok("CA bundle", "/f.pem has 2 certificates"))
        #expect(find(0, 1, isNeeded: true) == .ok("CA bundle", "/d has 1 certificate"))
        #expect(find(0, 0, isNeeded: true).status == .error)
        #expect(find(0, 0, isNeeded: false).status == .warning)
        #expect(find(0, 0, isNeeded: true).text.contains("neither /f.pem nor /d"))
    }
}
