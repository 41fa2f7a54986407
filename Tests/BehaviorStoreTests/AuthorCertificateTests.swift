import JSONCodec
import Locking
import Testing

@testable import BehaviorStore

@Suite("Certificates of authors in approvals and schedules")
struct AuthorCertificateTests {
    private static let old = certificate("01")
    private static let renewed = certificate("02")

    private static func certificate(_ serial: String) -> AuthorCertificate {
        AuthorCertificate(issuer: "ab", serial: serial, authority: "cd", end: 2_000_000)
    }

    private static func bob(_ certificate: AuthorCertificate?) -> Author {
        Author(id: "certificate CN=bob", name: "CN=bob", certificate: certificate)
    }

    /// Documents for which the old certificate has been revoked, if `isRevoked`.
    private func documents(_ desk: Desk, _ isRevoked: Locked<Bool>) throws -> BehaviorDocuments {
        BehaviorDocuments(
            try desk.store.backend(),
            as: desk.live,
            standing: AuthorStanding { _, certificate, _ in
                certificate == Self.old && isRevoked.withLock { $0 }
                    ? .ended("its certificate was revoked") : .valid
            },
            logger: KeptStore.quiet,
            now: { 1_000_000 }
        )
    }

    @Test(
        "a revoked certificate ends its approval, but not its author's approval with a new one",
        arguments: StoreKind.allCases
    )
    func approval(kind: StoreKind) async throws {
        let desk = try Desk(kind)
        let isRevoked = Locked(false)
        let documents = try documents(desk, isRevoked)
        try await documents.set(EnvironmentRules(approvals: 1), of: "production", by: Desk.ada)
        try await desk.put("one", isDraft: true)
        for certificate in [Self.old, Self.old, Self.renewed] {
            let result = try await documents.approve(
                1,
                of: desk.key,
                by: Self.bob(certificate)
            )
            #expect(result.approvals.map(\.certificate) == [Self.old])
        }
        isRevoked.withLock { $0 = true }
        let error = await desk.error { try await documents.publish(1, of: desk.key, by: Desk.ada) }
        #expect("\(String(describing: error))".contains("its certificate was revoked"))
        let again = try await documents.approve(1, of: desk.key, by: Self.bob(Self.renewed))
        #expect(again.approvals.map(\.certificate) == [Self.old, Self.renewed])
        #expect(try await desk.findings() == [])

        let text = try await desk.exported()
        let copy = try Desk(kind)
        try await copy.documents.load(BehaviorArchive(text), by: Desk.ada)
        #expect(try await copy.exported() == text)
        #expect(try await copy.findings() == [])

        _ = try await documents.publish(1, of: desk.key, by: Desk.ada)
        #expect(try await desk.findings() == [])
    }

    @Test("a revoked certificate ends its schedule", arguments: StoreKind.allCases)
    func schedule(kind: StoreKind) async throws {
        let desk = try Desk(kind)
        let isRevoked = Locked(false)
        let documents = try documents(desk, isRevoked)
        try await desk.put("one", isDraft: true)
        _ = try await documents.schedule(1, of: desk.key, at: 1_000_000, by: Self.bob(Self.old))
        isRevoked.withLock { $0 = true }
        try await documents.fire(at: 1_000_000)
        #expect(try await documents.schedules(of: desk.key) == [])
        #expect(desk.served == nil)
        #expect(try await desk.findings() == [])
    }

    @Test(
        "a changed expiry date of an approval's certificate is found",
        arguments: [StoreKind.sqlite]
    )
    func tampered(kind: StoreKind) async throws {
        let desk = try Desk(kind)
        try await desk.put("one", isDraft: true)
        _ = try await desk.documents.approve(1, of: desk.key, by: Self.bob(Self.old))
        let findings = try await desk.findings(
            after: """
                UPDATE plugboard_record SET value = replace(value, '2000000', '3000000') \
                WHERE kind = 'draft'
                """
        )
        #expect(!findings.isEmpty)
    }
}
