import Digests
import JSONCodec
import Testing

@testable import BehaviorStore

/// How far it is looked back from a draft, and where that ends.
@Suite("The search for a draft's authors")
struct LineageWalkTests {
    private let carol = Team.carol
    private let dan = Team.dan
    private let team = Team()

    /// The digests of what a draft for production is made of, as far as they are looked at: of ten revisions of
    /// staging, each a patch of the one before, but for the first.
    private func walked(_ approved: LineageWalk.Approved) throws -> [String] {
        let staging = try #require(DocumentKey("default", in: "staging"))
        let production = try #require(DocumentKey("default"))
        var lineage = Lineage()
        for number in 2...10 {
            let basis = RevisionBasis(#"{"digest":"\#(number - 1)","revision":\#(number - 1)}"#)
            lineage.add(.init(number, of: staging), origin: nil, basis: basis)
        }
        var walk = LineageWalk(
            from: Lineage.Member(10, of: staging),
            to: production,
            in: lineage,
            approved: approved,
            draft: { _ in nil }
        )
        while let member = walk.next {
            walk.take("\(member.number)", by: Contributor("\(member.number)", name: ""))
        }
        return walk.contributors.map(\.id)
    }

    @Test("the search ends at a complete document or a revision that went live unchanged")
    func approved() throws {
        let all = (1...10).reversed().map(String.init)
        #expect(try walked(.init(laid: [])) == all)
        let bytes: Set = [SourceDigests(digest: "8", overrides: nil)]
        #expect(try walked(.init(laid: bytes)) == ["10", "9"])
        #expect(try walked(.init(laid: bytes, overrides: "o")) == ["10", "9"])
        #expect(try walked(.init(laid: [SourceDigests(digest: "10", overrides: nil)])) == [])
    }

    @Test(
        "a revision that went live with overrides ends the search only with the same overrides"
    )
    func overridden() throws {
        let all = (1...10).reversed().map(String.init)
        let top: Set = [SourceDigests(digest: "10", overrides: "o")]
        #expect(try walked(.init(laid: top, overrides: "o")) == [])
        #expect(try walked(.init(laid: top, overrides: "other")) == all)
        #expect(try walked(.init(laid: top)) == all)
        let deeper: Set = [SourceDigests(digest: "8", overrides: "o")]
        #expect(try walked(.init(laid: deeper, overrides: "o")) == all)
    }

    @Test("a draft with more authors than the limit is rejected")
    func many() async throws {
        let (desk, _) = try await team.desk(.sqlite)
        _ = try await desk.documents.put(Desk.text("one"), as: desk.staging, by: Desk.bob)
        for number in 1..<BehaviorDocuments.maximumContributorCount {
            try await team.patch(
                desk.staging,
                desk,
                by: Author(id: "1\(number)", name: "p\(number)")
            )
        }
        #expect(try await team.promote(desk.staging, desk, by: carol) == 1)
        try await team.patch(desk.staging, desk, by: dan)
        let error = await desk.error {
            try await desk.documents.promote(of: desk.staging, to: "production", by: carol)
        }
        guard case .conflict(let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("more than 100 people"))
    }

    @Test("many tokens of one name count as one author")
    func oneOfMany() async throws {
        let (desk, _) = try await team.desk(.sqlite)
        _ = try await desk.documents.put(Desk.text("one"), as: desk.staging, by: Desk.bob)
        for number in 0...BehaviorDocuments.maximumContributorCount {
            try await team.patch(desk.staging, desk, by: Author(id: "1\(number)", name: "ci"))
        }
        #expect(try await team.promote(desk.staging, desk, by: carol) == 1)
        for author in [Author(id: "150", name: "other"), Author(id: "200", name: "ci")] {
            let error = await desk.error {
                try await desk.documents.approve(1, of: desk.key, by: author).info.number
            }
            guard case .forbidden = error else {
                Issue.record("\(author): \(String(describing: error))")
                continue
            }
        }
        #expect(try await team.barred(1, desk) == ["bob", "carol"])
    }

    @Test("a draft based on more revisions than the limit is rejected")
    func long() async throws {
        let (desk, _) = try await team.desk(.sqlite)
        _ = try await desk.documents.put(Desk.text("one"), as: desk.staging, by: Desk.bob)
        // Each made of the one before.
        let last = LineageWalk.maximumLength
        let digest = Hexadecimal.sha256(Desk.text("one"))
        try await desk.store.tamper(
            """
            WITH RECURSIVE numbers(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(last))
            INSERT INTO plugboard_revision SELECT environment, name, n, '4', 'dan', message, digest, size,
                created, bytes FROM plugboard_revision, numbers
            """
        )
        try await desk.store.tamper(
            """
            WITH RECURSIVE numbers(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(last))
            INSERT INTO plugboard_record SELECT 'basis', 'staging', 'default', n,
                '{"digest":"\(digest)","revision":' || (n - 1) || '}' FROM numbers
            """
        )
        try await desk.store.tamper(
            "UPDATE plugboard_document SET latest = \(last), live = \(last)"
        )
        #expect(try await team.promote(desk.staging, desk, by: carol) == 1)
        let draft = try await desk.documents.approve(1, of: desk.key, by: Desk.ada)
        #expect(draft.info.number == 1)
        for maker in [Desk.bob, carol, dan] {
            let error = await desk.error {
                try await desk.documents.approve(1, of: desk.key, by: maker).info.number
            }
            guard case .forbidden = error else {
                Issue.record("\(maker): \(String(describing: error))")
                continue
            }
        }
        try await team.patch(desk.staging, desk, by: dan)
        let error = await desk.error {
            try await desk.documents.promote(of: desk.staging, to: "production", by: carol)
        }
        guard case .conflict(let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("more than 1000 revisions"))
    }

    @Test("a cycle in edited rows is followed once")
    func circle() async throws {
        let (desk, dev) = try await team.desk(.sqlite)
        _ = try await desk.documents.put(Desk.text("one"), as: dev, by: Desk.bob)
        _ = try await team.promote(dev, desk, to: "staging", by: Desk.ada)
        try await desk.store.tamper(
            """
            INSERT INTO plugboard_record VALUES ('origin', 'dev', 'default', '1',
                '{"environment":"staging","revision":1,"overridden":false}')
            """
        )
        #expect(try await team.promote(desk.staging, desk, by: carol) == 1)
        let error = await desk.error {
            try await desk.documents.approve(1, of: desk.key, by: Desk.bob).info.number
        }
        guard case .forbidden = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
