import JSONCodec
import Testing

@testable import BehaviorStore

/// Who can't approve of a draft in production, whichever way its bytes have come.
@Suite("What a draft is made of, through all environments")
struct LineageTests {
    private let carol = Author(id: "3", name: "carol")
    private let dan = Author(id: "4", name: "dan")
    private let eve = Author(id: "5", name: "eve")

    /// A desk where production asks for an approval, and no other environment does.
    private func desk(_ kind: StoreKind) async throws -> (desk: Desk, dev: DocumentKey) {
        let desk = try Desk(kind)
        try await desk.documents.set(EnvironmentRules(approvals: 1), of: "production", by: eve)
        return (desk, try #require(DocumentKey("default", in: "dev")))
    }

    /// Whose approval of a draft is refused; the others have approved of it then.
    private func barred(_ number: Int, _ desk: Desk) async throws -> [String] {
        var barred: [String] = []
        for author in [Desk.ada, Desk.bob, carol, dan] {
            let error = await desk.error {
                try await desk.documents.approve(number, of: desk.key, by: author).info.number
            }
            if case .forbidden = error { barred.append(author.name) } else { #expect(error == nil) }
        }
        #expect(try await desk.findings() == [])
        return barred
    }

    private func patch(
        _ key: DocumentKey,
        _ desk: Desk,
        revision: Int? = nil,
        isDraft: Bool = false,
        by author: Author
    ) async throws {
        let patch = #"[{"op": "add", "path": "/0/by-\#(author.name)", "value": true}]"#
        _ = try await desk.documents.patch(
            key,
            with: Array(patch.utf8),
            as: .operations,
            revision: revision,
            isDraft: isDraft,
            by: author
        )
    }

    private func promote(
        _ source: DocumentKey,
        _ desk: Desk,
        to environment: String = "production",
        by author: Author
    ) async throws -> Int {
        try await desk.documents.promote(of: source, to: environment, by: author)
            .info.number
    }

    @Test("what comes through two environments is its maker's still", arguments: StoreKind.allCases)
    func twoSteps(kind: StoreKind) async throws {
        let (desk, dev) = try await desk(kind)
        _ = try await desk.documents.put(Desk.text("one"), as: dev, by: Desk.bob)
        _ = try await promote(dev, desk, to: "staging", by: Desk.ada)
        #expect(try await promote(desk.staging, desk, by: Desk.ada) == 1)
        #expect(try await barred(1, desk) == ["ada", "bob"])
        // An archive takes it along.
        let other = try Desk(kind)
        try await other.documents.load(BehaviorArchive(desk.exported()), by: eve)
        #expect(try await promote(desk.staging, other, by: dan) == 2)
        #expect(try await barred(2, other) == ["ada", "bob", "dan"])
    }

    @Test(
        "what was patched or rolled back to while it was live counts",
        arguments: StoreKind.allCases
    )
    func live(kind: StoreKind) async throws {
        let (desk, _) = try await desk(kind)
        _ = try await desk.documents.put(Desk.text("one"), as: desk.staging, by: Desk.bob)
        try await patch(desk.staging, desk, by: carol)
        #expect(try await promote(desk.staging, desk, by: Desk.ada) == 1)
        #expect(try await barred(1, desk) == ["ada", "bob", "carol"])
        _ = try await desk.documents.put(Desk.text("two"), as: desk.staging, by: dan)
        // What was put whole is made of nothing else.
        #expect(try await promote(desk.staging, desk, by: Desk.ada) == 2)
        #expect(try await barred(2, desk) == ["ada", "dan"])
        _ = try await desk.documents.rollback(to: 1, of: desk.staging, by: Desk.ada)
        #expect(try await promote(desk.staging, desk, by: Desk.ada) == 3)
        #expect(try await barred(3, desk) == ["ada", "bob"])
    }

    @Test(
        "who overrode what went live elsewhere counts, also when they are none any more",
        arguments: StoreKind.allCases
    )
    func overrides(kind: StoreKind) async throws {
        let (desk, dev) = try await desk(kind)
        let patch: JSON = [["op": "add", "path": "/0/kept", "value": 1]]
        _ = try await desk.documents.put(Desk.text("one"), as: dev, by: Desk.ada)
        _ = try await desk.documents.override(desk.staging, with: patch, by: Desk.bob)
        _ = try await promote(dev, desk, to: "staging", by: carol)
        _ = try await desk.documents.removeOverrides(of: desk.staging, by: dan)
        #expect(try await promote(desk.staging, desk, by: carol) == 1)
        #expect(try await barred(1, desk) == ["ada", "bob", "carol"])
        // So do those of a draft that was published.
        _ = try await desk.documents.override(desk.staging, with: patch, by: Desk.bob)
        let draft = try await desk.documents.promote(
            of: dev,
            to: "staging",
            isDraft: true,
            by: Desk.ada
        )
        _ = try await desk.documents.publish(draft.info.number, of: desk.staging, by: Desk.ada)
        #expect(try await promote(desk.staging, desk, by: Desk.ada) == 2)
        #expect(try await barred(2, desk) == ["ada", "bob"])
    }

    @Test(
        "what went live in production was approved of there: it counts no more, nor what it is made of",
        arguments: StoreKind.allCases
    )
    func approved(kind: StoreKind) async throws {
        let (desk, _) = try await desk(kind)
        _ = try await desk.documents.put(Desk.text("one"), as: desk.staging, by: Desk.bob)
        try await patch(desk.staging, desk, by: carol)
        #expect(try await promote(desk.staging, desk, by: Desk.ada) == 1)
        _ = try await desk.documents.approve(1, of: desk.key, by: dan)
        _ = try await desk.documents.publish(1, of: desk.key, by: Desk.ada)
        // Upon what is live: the next part alone.
        try await patch(desk.staging, desk, by: dan)
        #expect(try await promote(desk.staging, desk, by: Desk.ada) == 2)
        #expect(try await barred(2, desk) == ["ada", "dan"])
        try await patch(desk.key, desk, isDraft: true, by: carol)
        #expect(try await barred(3, desk) == ["carol"])
        // Of what never was live there, again all.
        _ = try await desk.documents.put(Desk.text("two"), as: desk.staging, by: Desk.bob)
        try await patch(desk.staging, desk, by: carol)
        _ = try await desk.documents.rollback(to: 3, of: desk.staging, by: carol)
        _ = try await desk.documents.rollback(to: 5, of: desk.staging, by: dan)
        #expect(try await promote(desk.staging, desk, by: Desk.ada) == 4)
        #expect(try await barred(4, desk) == ["ada", "bob", "carol", "dan"])
    }

    @Test(
        "what was changed before it went live in production wasn't approved of as it was",
        arguments: StoreKind.allCases
    )
    func changedBefore(kind: StoreKind) async throws {
        let (desk, _) = try await desk(kind)
        _ = try await desk.documents.put(Desk.text("one"), as: desk.staging, by: Desk.bob)
        try await patch(desk.staging, desk, by: carol)
        #expect(try await promote(desk.staging, desk, by: Desk.ada) == 1)
        _ = try await desk.documents.approve(1, of: desk.key, by: dan)
        _ = try await desk.documents.publish(1, of: desk.key, by: Desk.ada)
        // Without carol's part they are bob's bytes, which nobody has approved of.
        _ = try await desk.documents.rollback(to: 1, of: desk.staging, by: Desk.ada)
        #expect(try await promote(desk.staging, desk, by: Desk.ada) == 2)
        #expect(try await barred(2, desk) == ["ada", "bob"])
        // As they went live they were approved of, wherever they come from.
        _ = try await desk.documents.rollback(to: 2, of: desk.staging, by: Desk.bob)
        #expect(try await promote(desk.staging, desk, by: dan) == 3)
        #expect(try await barred(3, desk) == ["dan"])
    }

    @Test(
        "what was patched before it went live wasn't approved of either",
        arguments: StoreKind.allCases
    )
    func patchedBefore(kind: StoreKind) async throws {
        let (desk, _) = try await desk(kind)
        _ = try await desk.documents.put(Desk.text("one"), as: desk.staging, by: Desk.bob)
        #expect(try await promote(desk.staging, desk, by: Desk.ada) == 1)
        try await patch(desk.key, desk, revision: 1, isDraft: true, by: carol)
        _ = try await desk.documents.approve(2, of: desk.key, by: dan)
        _ = try await desk.documents.publish(2, of: desk.key, by: carol)
        #expect(try await promote(desk.staging, desk, by: dan) == 3)
        #expect(try await barred(3, desk) == ["bob", "dan"])
    }

    @Test(
        "with overrides it is approved of with those, and not without",
        arguments: StoreKind.allCases
    )
    func approvedWithOverrides(kind: StoreKind) async throws {
        let (desk, _) = try await desk(kind)
        let override: JSON = [["op": "add", "path": "/0/kept", "value": 1]]
        _ = try await desk.documents.override(desk.key, with: override, by: carol)
        _ = try await desk.documents.put(Desk.text("one"), as: desk.staging, by: Desk.bob)
        #expect(try await promote(desk.staging, desk, by: Desk.ada) == 1)
        _ = try await desk.documents.approve(1, of: desk.key, by: dan)
        _ = try await desk.documents.publish(1, of: desk.key, by: Desk.ada)
        try await patch(desk.staging, desk, by: dan)
        #expect(try await promote(desk.staging, desk, by: Desk.ada) == 2)
        #expect(try await barred(2, desk) == ["ada", "carol", "dan"])
        _ = try await desk.documents.removeOverrides(of: desk.key, by: carol)
        #expect(try await promote(desk.staging, desk, by: Desk.ada) == 3)
        #expect(try await barred(3, desk) == ["ada", "bob", "dan"])
    }

    @Test("who was called otherwise then is known by both names", arguments: StoreKind.allCases)
    func renamed(kind: StoreKind) async throws {
        let (desk, _) = try await desk(kind)
        let later = Author(id: Desk.bob.id, name: "robert")
        _ = try await desk.documents.put(Desk.text("one"), as: desk.staging, by: Desk.bob)
        try await patch(desk.staging, desk, by: later)
        #expect(try await promote(desk.staging, desk, by: Desk.ada) == 1)
        for name in ["bob", "robert"] {
            let error = await desk.error {
                try await desk.documents.approve(1, of: desk.key, by: Author(id: "9", name: name))
                    .info.number
            }
            guard case .forbidden = error else {
                Issue.record("\(name): \(String(describing: error))")
                continue
            }
        }
        #expect(try await desk.findings() == [])
    }

    @Test("a store of the first versions is verified, and goes on", arguments: StoreKind.allCases)
    func early(kind: StoreKind) async throws {
        let (desk, dev) = try await desk(kind)
        _ = try await desk.documents.put(Desk.text("one"), as: dev, by: Desk.bob)
        try await patch(dev, desk, by: dan)
        _ = try await promote(dev, desk, to: "staging", by: carol)
        #expect(try await promote(desk.staging, desk, by: Desk.ada) == 1)
        let other = try Desk(kind)
        let lines = try await ArchiveLines(desk).early()
        try await other.documents.load(BehaviorArchive(lines.text), by: eve)
        #expect(try await other.findings() == [])
        // What is known of it counts: who made the revisions that were promoted.
        #expect(try await promote(desk.staging, other, by: Desk.ada) == 2)
        #expect(try await barred(2, other) == ["ada", "carol", "dan"])
    }

    @Test("what more have made than a draft names isn't made a draft")
    func many() async throws {
        let (desk, _) = try await desk(.sqlite)
        _ = try await desk.documents.put(Desk.text("one"), as: desk.staging, by: Desk.bob)
        for number in 1..<BehaviorDocuments.greatestContributorCount {
            try await patch(desk.staging, desk, by: Author(id: "1\(number)", name: "p\(number)"))
        }
        #expect(try await promote(desk.staging, desk, by: carol) == 1)
        try await patch(desk.staging, desk, by: dan)
        let error = await desk.error {
            try await desk.documents.promote(of: desk.staging, to: "production", by: carol)
        }
        guard case .conflict(let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.hasPrefix("more than 100 people"))
    }

    @Test("what goes round in a circle, as edited rows may, is followed once")
    func circle() async throws {
        let (desk, dev) = try await desk(.sqlite)
        _ = try await desk.documents.put(Desk.text("one"), as: dev, by: Desk.bob)
        _ = try await promote(dev, desk, to: "staging", by: Desk.ada)
        try await desk.store.tamper(
            """
            INSERT INTO behaviorRecord VALUES ('origin', 'dev', 'default', '1',
                '{"environment":"staging","revision":1,"overridden":false}')
            """
        )
        #expect(try await promote(desk.staging, desk, by: carol) == 1)
        let error = await desk.error {
            try await desk.documents.approve(1, of: desk.key, by: Desk.bob).info.number
        }
        guard case .forbidden = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
