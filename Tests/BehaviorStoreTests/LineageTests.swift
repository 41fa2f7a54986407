import JSONCodec
import Testing

@testable import BehaviorStore

/// People that can't approve a draft in production, whatever the origin of its bytes.
@Suite("Authors of a draft across environments")
struct LineageTests {
    private let carol = Team.carol
    private let dan = Team.dan
    private let eve = Team.eve

    private let team = Team()

    @Test(
        "an author can't approve a draft that was promoted through two environments",
        arguments: StoreKind.allCases
    )
    func twoSteps(kind: StoreKind) async throws {
        let (desk, dev) = try await team.desk(kind)
        _ = try await desk.documents.put(Desk.text("one"), as: dev, by: Desk.bob)
        _ = try await team.promote(dev, desk, to: "staging", by: Desk.ada)
        #expect(try await team.promote(desk.staging, desk, by: Desk.ada) == 1)
        #expect(try await team.barred(1, desk) == ["ada", "bob"])
        // An archive takes it along.
        let other = try Desk(kind)
        try await other.documents.load(BehaviorArchive(desk.exported()), by: eve)
        #expect(try await team.promote(desk.staging, other, by: dan) == 2)
        #expect(try await team.barred(2, other) == ["ada", "bob", "dan"])
    }

    @Test(
        "authors of patched and rolled-back live revisions can't approve",
        arguments: StoreKind.allCases
    )
    func live(kind: StoreKind) async throws {
        let (desk, _) = try await team.desk(kind)
        _ = try await desk.documents.put(Desk.text("one"), as: desk.staging, by: Desk.bob)
        try await team.patch(desk.staging, desk, by: carol)
        #expect(try await team.promote(desk.staging, desk, by: Desk.ada) == 1)
        #expect(try await team.barred(1, desk) == ["ada", "bob", "carol"])
        _ = try await desk.documents.put(Desk.text("two"), as: desk.staging, by: dan)
        // What was put whole is made of nothing else.
        #expect(try await team.promote(desk.staging, desk, by: Desk.ada) == 2)
        #expect(try await team.barred(2, desk) == ["ada", "dan"])
        _ = try await desk.documents.rollback(to: 1, of: desk.staging, by: Desk.ada)
        #expect(try await team.promote(desk.staging, desk, by: Desk.ada) == 3)
        #expect(try await team.barred(3, desk) == ["ada", "bob"])
    }

    @Test(
        "authors of overrides in another environment can't approve, even after their removal",
        arguments: StoreKind.allCases
    )
    func overrides(kind: StoreKind) async throws {
        let (desk, dev) = try await team.desk(kind)
        let patch: JSON = [["op": "add", "path": "/0/kept", "value": 1]]
        _ = try await desk.documents.put(Desk.text("one"), as: dev, by: Desk.ada)
        _ = try await desk.documents.override(desk.staging, with: patch, by: Desk.bob)
        _ = try await team.promote(dev, desk, to: "staging", by: carol)
        _ = try await desk.documents.removeOverrides(of: desk.staging, by: dan)
        #expect(try await team.promote(desk.staging, desk, by: carol) == 1)
        #expect(try await team.barred(1, desk) == ["ada", "bob", "carol"])
        // So do those of a draft that was published.
        _ = try await desk.documents.override(desk.staging, with: patch, by: Desk.bob)
        let draft = try await desk.documents.promote(
            of: dev,
            to: "staging",
            isDraft: true,
            by: Desk.ada
        )
        _ = try await desk.documents.publish(draft.info.number, of: desk.staging, by: Desk.ada)
        #expect(try await team.promote(desk.staging, desk, by: Desk.ada) == 2)
        #expect(try await team.barred(2, desk) == ["ada", "bob"])
    }

    @Test(
        "authors of a revision that went live in production may approve later drafts",
        arguments: StoreKind.allCases
    )
    func approved(kind: StoreKind) async throws {
        let (desk, _) = try await team.desk(kind)
        _ = try await desk.documents.put(Desk.text("one"), as: desk.staging, by: Desk.bob)
        try await team.patch(desk.staging, desk, by: carol)
        #expect(try await team.promote(desk.staging, desk, by: Desk.ada) == 1)
        _ = try await desk.documents.approve(1, of: desk.key, by: dan)
        _ = try await desk.documents.publish(1, of: desk.key, by: Desk.ada)
        // Upon what is live: the next part alone.
        try await team.patch(desk.staging, desk, by: dan)
        #expect(try await team.promote(desk.staging, desk, by: Desk.ada) == 2)
        #expect(try await team.barred(2, desk) == ["ada", "dan"])
        try await team.patch(desk.key, desk, isDraft: true, by: carol)
        #expect(try await team.barred(3, desk) == ["carol"])
        // Of what never was live there, again all.
        _ = try await desk.documents.put(Desk.text("two"), as: desk.staging, by: Desk.bob)
        try await team.patch(desk.staging, desk, by: carol)
        _ = try await desk.documents.rollback(to: 3, of: desk.staging, by: carol)
        _ = try await desk.documents.rollback(to: 5, of: desk.staging, by: dan)
        #expect(try await team.promote(desk.staging, desk, by: Desk.ada) == 4)
        #expect(try await team.barred(4, desk) == ["ada", "bob", "carol", "dan"])
    }

    @Test(
        "authors of a revision changed before it went live in production still can't approve",
        arguments: StoreKind.allCases
    )
    func changedBefore(kind: StoreKind) async throws {
        let (desk, _) = try await team.desk(kind)
        _ = try await desk.documents.put(Desk.text("one"), as: desk.staging, by: Desk.bob)
        try await team.patch(desk.staging, desk, by: carol)
        #expect(try await team.promote(desk.staging, desk, by: Desk.ada) == 1)
        _ = try await desk.documents.approve(1, of: desk.key, by: dan)
        _ = try await desk.documents.publish(1, of: desk.key, by: Desk.ada)
        // Without carol's part they are bob's bytes, which nobody has approved of.
        _ = try await desk.documents.rollback(to: 1, of: desk.staging, by: Desk.ada)
        #expect(try await team.promote(desk.staging, desk, by: Desk.ada) == 2)
        #expect(try await team.barred(2, desk) == ["ada", "bob"])
        // As they went live they were approved of, wherever they come from.
        _ = try await desk.documents.rollback(to: 2, of: desk.staging, by: Desk.bob)
        #expect(try await team.promote(desk.staging, desk, by: dan) == 3)
        #expect(try await team.barred(3, desk) == ["dan"])
    }

    @Test(
        "authors of a revision patched before it went live in production still can't approve",
        arguments: StoreKind.allCases
    )
    func patchedBefore(kind: StoreKind) async throws {
        let (desk, _) = try await team.desk(kind)
        _ = try await desk.documents.put(Desk.text("one"), as: desk.staging, by: Desk.bob)
        #expect(try await team.promote(desk.staging, desk, by: Desk.ada) == 1)
        try await team.patch(desk.key, desk, revision: 1, isDraft: true, by: carol)
        _ = try await desk.documents.approve(2, of: desk.key, by: dan)
        _ = try await desk.documents.publish(2, of: desk.key, by: carol)
        #expect(try await team.promote(desk.staging, desk, by: dan) == 3)
        #expect(try await team.barred(3, desk) == ["bob", "dan"])
    }

    @Test(
        "an approval with overrides covers the revision only with the same overrides",
        arguments: StoreKind.allCases
    )
    func approvedWithOverrides(kind: StoreKind) async throws {
        let (desk, _) = try await team.desk(kind)
        let override: JSON = [["op": "add", "path": "/0/kept", "value": 1]]
        _ = try await desk.documents.override(desk.key, with: override, by: carol)
        _ = try await desk.documents.put(Desk.text("one"), as: desk.staging, by: Desk.bob)
        #expect(try await team.promote(desk.staging, desk, by: Desk.ada) == 1)
        _ = try await desk.documents.approve(1, of: desk.key, by: dan)
        _ = try await desk.documents.publish(1, of: desk.key, by: Desk.ada)
        #expect(try await team.promote(desk.staging, desk, by: Desk.ada) == 2)
        #expect(try await team.barred(2, desk) == ["ada", "carol"])
        // Upon what never was live without them.
        try await team.patch(desk.staging, desk, by: dan)
        #expect(try await team.promote(desk.staging, desk, by: Desk.ada) == 3)
        #expect(try await team.barred(3, desk) == ["ada", "bob", "carol", "dan"])
        _ = try await desk.documents.removeOverrides(of: desk.key, by: carol)
        #expect(try await team.promote(desk.staging, desk, by: Desk.ada) == 4)
        #expect(try await team.barred(4, desk) == ["ada", "bob", "dan"])
    }

    /// Production takes the first action away, which was never live there; a patch shows it again.
    private func shown(_ kind: StoreKind) async throws -> Desk {
        let (desk, _) = try await team.desk(kind)
        let remove: JSON = [["op": "remove", "path": "/0/actions/0"]]
        _ = try await desk.documents.override(desk.key, with: remove, by: eve)
        let bad = #"[{"name": "M", "actions": [{"func": "bad"}, {"func": "good"}]}]"#
        _ = try await desk.documents.put(Array(bad.utf8), as: desk.staging, by: Desk.bob)
        #expect(try await team.promote(desk.staging, desk, by: Desk.ada) == 1)
        _ = try await desk.documents.approve(1, of: desk.key, by: carol)
        _ = try await desk.documents.publish(1, of: desk.key, by: Desk.ada)
        let patch = #"[{"op": "add", "path": "/0/actions/0", "value": {"func": "debug"}}]"#
        _ = try await desk.documents.patch(
            desk.staging,
            with: Array(patch.utf8),
            as: .operations,
            by: carol
        )
        #expect(try await team.promote(desk.staging, desk, by: Desk.ada) == 2)
        return desk
    }

    @Test(
        "an author can't approve if a later change restores a part that overrides removed",
        arguments: StoreKind.allCases
    )
    func takenAway(kind: StoreKind) async throws {
        let desk = try await shown(kind)
        #expect(try await team.barred(2, desk) == ["ada", "bob", "carol"])
    }

    @Test("a draft's row that lacks one of its authors is found")
    func takenOff() async throws {
        let lines = try await ArchiveLines(shown(.sqlite)).naming(2, without: "bob")
        let error = await #expect(throws: BehaviorArchive.Invalid.self) {
            try await Desk(.sqlite).documents.load(BehaviorArchive(lines.text), by: eve)
        }
        #expect("\(String(describing: error))".contains("it doesn't name all authors of draft 2"))
    }

    @Test("a renamed author is known by both names", arguments: StoreKind.allCases)
    func renamed(kind: StoreKind) async throws {
        let (desk, _) = try await team.desk(kind)
        let later = Author(id: Desk.bob.id, name: "robert")
        _ = try await desk.documents.put(Desk.text("one"), as: desk.staging, by: Desk.bob)
        try await team.patch(desk.staging, desk, by: later)
        #expect(try await team.promote(desk.staging, desk, by: Desk.ada) == 1)
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
}
