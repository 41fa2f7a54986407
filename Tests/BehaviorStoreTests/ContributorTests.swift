import JSONCodec
import Testing

@testable import BehaviorStore

/// People beside its author that can't approve a draft, in every kind of store.
@Suite("Contributors to drafts")
struct ContributorTests {
    private let carol = Author(id: "3", name: "carol")
    private let dan = Author(id: "4", name: "dan")
    private let eve = Author(id: "5", name: "eve")
    private static let kept: JSON = [["op": "add", "path": "/0/kept", "value": 1]]

    /// A desk where staging has a document of ada's, production overrides of bob's, and approvals are
    /// asked for.
    private func desk(_ kind: StoreKind) async throws -> Desk {
        let desk = try Desk(kind)
        _ = try await desk.documents.put(Desk.text("one"), as: desk.staging, by: Desk.ada)
        _ = try await desk.documents.override(desk.key, with: Self.kept, by: Desk.bob)
        try await desk.documents.set(EnvironmentRules(approvals: 1), of: "production", by: eve)
        return desk
    }

    private func patch(
        _ number: Int,
        _ desk: Desk,
        _ key: DocumentKey? = nil,
        by author: Author
    ) async throws -> Int {
        let patch = #"[{"op": "add", "path": "/0/by-\#(author.name)", "value": true}]"#
        return try await desk.documents.patch(
            key ?? desk.key,
            with: Array(patch.utf8),
            as: .operations,
            revision: number,
            isDraft: true,
            by: author
        ).info.number
    }

    /// How the audit tells of them.
    private func maker(_ author: Author) -> JSON {
        ["by": .string(author.id), "name": .string(author.name)]
    }

    /// Which of some can't approve of a draft, of four where none are named; the others have then.
    private func barred(
        _ number: Int,
        _ desk: Desk,
        of authors: [Author]? = nil
    ) async throws -> [String] {
        var barred: [String] = []
        for author in authors ?? [Desk.ada, Desk.bob, carol, dan] {
            let error = await desk.error {
                try await desk.documents.approve(number, of: desk.key, by: author).info.number
            }
            if case .forbidden = error { barred.append(author.id) } else { #expect(error == nil) }
        }
        return barred
    }

    @Test(
        "no author of a draft's bases or overrides can approve it",
        arguments: StoreKind.allCases
    )
    func drafts(kind: StoreKind) async throws {
        let desk = try await desk(kind)
        let first = try await desk.documents.promote(
            of: desk.staging,
            to: "production",
            by: Desk.ada
        )
        #expect(first.info.number == 1 && !first.isLive)
        #expect(try await patch(1, desk, by: dan) == 2)
        #expect(try await patch(2, desk, by: carol) == 3)
        // Again one's own: the others stay.
        #expect(try await patch(3, desk, by: dan) == 4)
        #expect(try await barred(4, desk) == ["1", "2", "3", "4"])
        #expect(try await barred(3, desk) == ["1", "2", "3", "4"])
        let early = await desk.error {
            try await desk.documents.publish(4, of: desk.key, by: dan)
        }
        guard case .conflict = early else {
            Issue.record("\(String(describing: early))")
            return
        }
        let rows = try await desk.store.backend().audit(after: 3, limit: 100)
        let notified = try rows.map { try JSON(parsing: ($0.after ?? "").utf8)["makers"] }
        let (one, two): (JSON, JSON) = (maker(Desk.ada), maker(Desk.bob))
        #expect(
            notified == [[], [one, two], [maker(dan), one, two], [maker(carol), one, two]]
        )
        // Who had no part in the earlier ones approves of those.
        #expect(try await barred(2, desk) == ["1", "2", "4"])
        let approved = try await desk.documents.approve(4, of: desk.key, by: eve)
        #expect(approved.approvals.map(\.by) == ["5"])
        #expect(try await desk.findings() == [])
        let published = try await desk.documents.publish(4, of: desk.key, by: dan)
        #expect(published.isLive)
        // What is live has been approved of: a patch of that is its author's alone.
        #expect(try await patch(4, desk, by: carol) == 5)
        #expect(try await barred(5, desk) == ["3"])
        #expect(try await desk.findings() == [])
    }

    @Test(
        "authors of a promoted document's earlier drafts can't approve it",
        arguments: StoreKind.allCases
    )
    func promotions(kind: StoreKind) async throws {
        let desk = try await desk(kind)
        _ = try await desk.documents.removeOverrides(of: desk.key, by: Desk.bob)
        let documents = desk.documents
        _ = try await documents.promote(of: desk.staging, to: "production", by: carol)
        #expect(try await barred(1, desk) == ["1", "3"])
        #expect(try await patch(1, desk, desk.staging, by: dan) == 2)
        #expect(try await patch(2, desk, desk.staging, by: carol) == 3)
        _ = try await documents.promote(3, of: desk.staging, to: "production", by: carol)
        // What they were made of never was live in production: ada made that.
        #expect(try await barred(2, desk) == ["1", "3", "4"])
        // Of a third environment, with its overrides, and on to production with bob's.
        let test = try #require(DocumentKey("default", in: "test"))
        _ = try await documents.override(test, with: Self.kept, by: dan)
        _ = try await documents.override(desk.key, with: Self.kept, by: Desk.bob)
        _ = try await documents.promote(of: desk.staging, to: "test", isDraft: true, by: eve)
        _ = try await documents.promote(1, of: test, to: "production", by: carol)
        #expect(try await barred(3, desk) == ["1", "2", "3", "4"])
        let author = await desk.error {
            try await documents.approve(3, of: desk.key, by: eve).info.number
        }
        guard case .forbidden = author else {
            Issue.record("\(String(describing: author))")
            return
        }
        #expect(try await desk.findings() == [])
    }

    @Test(
        "a roll-back doesn't bypass contributors, and an archive contains them",
        arguments: StoreKind.allCases
    )
    func rollbacks(kind: StoreKind) async throws {
        let desk = try await desk(kind)
        _ = try await desk.documents.promote(of: desk.staging, to: "production", by: Desk.ada)
        #expect(try await patch(1, desk, by: dan) == 2)
        let other = try Desk(kind)
        try await other.documents.load(BehaviorArchive(desk.exported()), by: eve)
        for desk in [desk, other] {
            let early = await desk.error {
                try await desk.documents.rollback(to: 2, of: desk.key, by: carol)
            }
            guard case .conflict = early else {
                Issue.record("\(String(describing: early))")
                continue
            }
            #expect(try await barred(2, desk) == ["1", "2", "4"])
            let back = try await desk.documents.rollback(to: 2, of: desk.key, by: dan)
            #expect(back.isLive && back.info.number == 3)
            #expect(try await desk.findings() == [])
        }
    }

    @Test(
        "another token of the same name counts as the same contributor",
        arguments: StoreKind.allCases
    )
    func otherTokens(kind: StoreKind) async throws {
        let desk = try await desk(kind)
        let first = try await desk.documents.promote(
            of: desk.staging,
            to: "production",
            by: carol
        )
        #expect(try await patch(first.info.number, desk, by: dan) == 2)
        let others = [Desk.ada, Desk.bob, carol].map { Author(id: "9\($0.id)", name: $0.name) }
        for number in [1, 2] {
            #expect(try await barred(number, desk, of: others) == ["91", "92", "93"])
        }
        // An author without a name may be anyone.
        let nameless = Author(id: "6")
        #expect(try await patch(2, desk, by: nameless) == 3)
        #expect(try await patch(3, desk, by: dan) == 4)
        let zoe = Author(id: "7", name: "zoe")
        for number in [3, 4] {
            #expect(try await barred(number, desk, of: [nameless, zoe]) == ["6", "7"])
        }
        #expect(try await barred(2, desk, of: [zoe]) == [])
        #expect(try await desk.findings() == [])
    }

    @Test(
        "a renamed author can approve under neither name",
        arguments: StoreKind.allCases
    )
    func renamed(kind: StoreKind) async throws {
        let desk = try await desk(kind)
        _ = try await desk.documents.promote(of: desk.staging, to: "production", by: carol)
        let caroline = Author(id: carol.id, name: "caroline")
        #expect(try await patch(1, desk, by: caroline) == 2)
        // A third name keeps both earlier ones.
        #expect(try await patch(2, desk, by: Author(id: carol.id, name: "caro")) == 3)
        let others = ["carol", "caroline", "caro"].map { Author(id: "9\($0)", name: $0) }
        #expect(try await barred(3, desk, of: others) == others.map(\.id))
        #expect(try await barred(2, desk, of: [others[0], others[1]]) == ["9carol", "9caroline"])
        #expect(try await barred(3, desk, of: [eve]) == [])
        #expect(try await desk.findings() == [])
    }

    @Test("a contributor without a name is encoded as a number")
    func numbers() throws {
        for text in [#"["1","2"]"#, #"[{"by":"1","name":"ada"},"2"]"#] {
            let makers = try JSON.decode([Contributor].self, from: text.utf8)
            #expect(makers.map(\.id) == ["1", "2"])
            #expect(makers[1].name.isEmpty)
            #expect(String(decoding: try JSON.encode(makers), as: UTF8.self) == text)
        }
    }

    @Test("a name removed from a draft's record is found", arguments: StoreKind.databases)
    func tampered(kind: StoreKind) async throws {
        for sql in [
            #"UPDATE plugboard_record SET value = replace(value, ',{"by":"2","name":"bob"}]', ']')"#
                + " WHERE kind = 'draft'",
            #"UPDATE plugboard_record SET value = '{"approvals":[]}' WHERE kind = 'draft' AND item = '2'"#,
        ] {
            let desk = try await desk(kind)
            _ = try await desk.documents.promote(of: desk.staging, to: "production", by: Desk.ada)
            #expect(try await patch(1, desk, by: dan) == 2)
            #expect(try await desk.findings() == [])
            try await desk.store.tamper(sql)
            #expect(
                try await desk.findings()
                    == ["draft 2 of default in production: the value differs from the rows"]
            )
        }
    }

    @Test("the editor of a folder's files counts as identified despite its missing name")
    func editor() async throws {
        #expect(Contributor(Author.editor.id, name: "").isIdentifiable)
        #expect(!Contributor("", name: "").isIdentifiable)
        #expect(!Contributor("files", name: "").isIdentifiable)
    }

    @Test("contributors' numbers are compared by their bytes")
    func bytes() {
        let kelvin = "\u{212A}ate"
        let kate = Contributor("certificate CN=Kate", name: "")
        #expect(!kate.isSame(as: Author(id: "certificate CN=\(kelvin)")))
        #expect(kate != Contributor("certificate CN=\(kelvin)", name: ""))
        #expect([kate].each(beside: Author(id: "certificate CN=\(kelvin)")).count == 1)
    }
}
