import JSONCodec
import Locking
import Testing

@testable import BehaviorStore

@Suite("Approvals of drafts, in every kind of store")
struct BehaviorDocumentsApprovalTests {
    private func conflict(_ error: BehaviorStoreError?) -> Bool {
        if case .conflict = error { true } else { false }
    }

    private func forbidden(_ desk: Desk, _ author: Author) async -> Bool {
        let error = await desk.error {
            try await desk.documents.approve(1, of: desk.key, by: author).info.number
        }
        if case .forbidden = error { return true }
        return false
    }

    @Test(
        "if an environment requires an approval, only an approved draft goes live",
        arguments: StoreKind.allCases
    )
    func approvals(kind: StoreKind) async throws {
        let desk = try Desk(kind)
        try await desk.put("one")
        let documents = desk.documents
        try await documents.set(EnvironmentRules(approvals: 1), of: "production", by: Desk.bob)
        let rules = try await documents.rules(of: "production")
        #expect(rules.approvals == 1)
        let others = try await documents.rules(of: "staging")
        #expect(others.approvals == 0)
        #expect(conflict(await desk.error { try await desk.put("two") }))
        try await desk.put("two", isDraft: true)
        func publish() async -> BehaviorStoreError? {
            await desk.error { try await documents.publish(2, of: desk.key, by: Desk.bob) }
        }
        #expect(conflict(await publish()))
        // No way around it: neither as a roll-back nor by the author.
        let back = await desk.error {
            try await documents.rollback(to: 2, of: desk.key, by: Desk.ada)
        }
        #expect(conflict(back))
        // Ada has another token, too.
        for author in [Desk.ada, Author(id: ""), Author(id: "9", name: "ada")] {
            let own = await desk.error {
                try await documents.approve(2, of: desk.key, by: author).approvals.count
            }
            guard case .forbidden = own else {
                Issue.record("\(String(describing: own))")
                continue
            }
        }
        #expect(conflict(await publish()))
        for author in [Desk.bob, Desk.bob, Author(id: "8", name: "bob")] {
            let approved = try await documents.approve(2, of: desk.key, by: author)
            #expect(approved.approvals.map(\.by) == ["2"])
        }
        #expect(await publish() == nil)
        #expect(desk.served == String(decoding: Desk.text("two"), as: UTF8.self))
        // What was live has been approved of.
        _ = try await documents.rollback(to: 1, of: desk.key, by: Desk.ada)
        let live = await desk.error {
            try await documents.approve(3, of: desk.key, by: Desk.bob).approvals.count
        }
        #expect(conflict(live))
        #expect(try await desk.findings() == [])
    }

    @Test(
        "a patch of the live revision can't be published after another went live",
        arguments: StoreKind.allCases
    )
    func overtaken(kind: StoreKind) async throws {
        let clock = Locked(1_000)
        let desk = try Desk(kind) { clock.withLock { $0 } }
        let documents = desk.documents
        func patch(_ number: Int, _ revision: Int? = nil) async throws -> Int {
            let patch = #"[{"op":"add","path":"/0/v\#(number)","value":1}]"#
            return try await documents.patch(
                desk.key,
                with: Array(patch.utf8),
                as: .operations,
                revision: revision,
                isDraft: true,
                by: Desk.ada
            ).info.number
        }
        try await desk.put("one")
        clock.withLock { $0 += 1 }
        // The second goes live in the second in which the third was made.
        #expect(try await [patch(2), patch(3)] == [2, 3])
        _ = try await documents.publish(2, of: desk.key, by: Desk.bob)
        let error = await desk.error { try await documents.publish(3, of: desk.key, by: Desk.bob) }
        #expect(
            error
                == .conflict(
                    "revision 2 went live after draft 3 was made of revision 1: make it again, or roll back "
                        + "to it to replace that revision"
                )
        )
        // One that was made of an earlier revision on purpose is no slip.
        clock.withLock { $0 += 1 }
        #expect(try await patch(4, 1) == 4)
        #expect(try await documents.publish(4, of: desk.key, by: Desk.bob).live == 4)
        #expect(try await documents.rollback(to: 3, of: desk.key, by: Desk.bob).live == 5)
        #expect(try await desk.findings() == [])
    }

    @Test("a draft of a draft goes live if its first base is live", arguments: StoreKind.allCases)
    func chained(kind: StoreKind) async throws {
        let desk = try Desk(kind)
        let documents = desk.documents
        try await desk.put("one")
        for number in 2...4 {
            _ = try await documents.patch(
                desk.key,
                with: Array(#"[{"op":"add","path":"/0/v\#(number)","value":1}]"#.utf8),
                as: .operations,
                revision: number - 1,
                isDraft: true,
                by: Desk.ada
            )
        }
        _ = try await documents.publish(2, of: desk.key, by: Desk.bob)
        #expect(try await documents.publish(4, of: desk.key, by: Desk.bob).live == 4)
    }

    @Test(
        "a draft with unreadable approvals doesn't count as previously live",
        arguments: StoreKind.databases
    )
    func unreadableDraft(kind: StoreKind) async throws {
        let desk = try Desk(kind)
        try await desk.put("one")
        try await desk.put("two", isDraft: true)
        try await desk.documents.set(EnvironmentRules(approvals: 1), of: "production", by: Desk.bob)
        try await desk.store.tamper(
            #"UPDATE plugboard_record SET value = '{"approvals":"v2"}' WHERE kind = 'draft'"#
        )
        let documents = desk.documents
        let errors = [
            await desk.error { try await documents.rollback(to: 2, of: desk.key, by: Desk.ada) },
            await desk.error { try await documents.publish(2, of: desk.key, by: Desk.ada) },
            await desk.error {
                try await documents.patch(
                    desk.key,
                    with: Array("[]".utf8),
                    as: .operations,
                    revision: 2,
                    isDraft: true,
                    by: Desk.ada
                )
            },
        ]
        for error in errors {
            #expect(error == .unavailable("draft 2 of default in production can't be read"))
        }
        #expect(desk.served == String(decoding: Desk.text("one"), as: UTF8.self))
    }

    @Test("an approver needs a name that differs from the author's", arguments: StoreKind.allCases)
    func approver(kind: StoreKind) async throws {
        let (desk, _) = try await Team().desk(kind)
        let dave = Author(id: "6", name: "Dave")
        _ = try await desk.documents.put(Desk.text("one"), as: desk.key, isDraft: true, by: dave)
        for name in ["", " ", "\u{200B}", "dave", "Dave ", "Ｄａｖｅ", "㎏"] {
            #expect(await forbidden(desk, Author(id: "7", name: name)), "\(name)")
        }
        #expect(await !forbidden(desk, Team.carol))
        #expect(try await desk.findings() == [])
    }

    @Test(
        "a caller without a name can't approve a draft of an author without a name",
        arguments: StoreKind.allCases
    )
    func nameless(kind: StoreKind) async throws {
        let (desk, _) = try await Team().desk(kind)
        _ = try await desk.documents.put(
            Desk.text("one"),
            as: desk.key,
            isDraft: true,
            by: Author(id: "6")
        )
        #expect(await forbidden(desk, Author(id: "7")))
        #expect(
            await desk.error { try await desk.documents.publish(1, of: desk.key, by: Team.eve) }
                != nil
        )
    }

    @Test(
        "drafts and overrides of an author without a name can't be approved",
        arguments: StoreKind.allCases
    )
    func namelessAuthor(kind: StoreKind) async throws {
        for name in ["", " ", "\u{200B}"] {
            let (desk, _) = try await Team().desk(kind)
            let nameless = Author(id: "6", name: name)
            let documents = desk.documents
            _ = try await documents.put(
                Desk.text("one"),
                as: desk.key,
                isDraft: true,
                by: nameless
            )
            _ = try await documents.put(Desk.text("two"), as: desk.staging, by: Desk.ada)
            _ = try await documents.override(
                desk.key,
                with: [["op": "add", "path": "/0/kept", "value": 1]],
                by: nameless
            )
            _ = try await documents.promote(of: desk.staging, to: "production", by: Desk.ada)
            for number in [1, 2] {
                let error = await desk.error {
                    try await documents.approve(number, of: desk.key, by: Team.carol).info.number
                }
                #expect("\(String(describing: error))".contains("with a named token"))
            }
            _ = try await documents.put(Desk.text("3"), as: desk.key, isDraft: true, by: Desk.ada)
            _ = try await documents.approve(3, of: desk.key, by: Team.carol)
            #expect(try await desk.findings() == [])
        }
    }

    @Test("several tokens of one person count as one approval", arguments: StoreKind.allCases)
    func count(kind: StoreKind) async throws {
        let ended = Locked<Set<String>>([])
        let (desk, documents) = try await Desk.ending(kind, ended)
        try await documents.set(EnvironmentRules(approvals: 2), of: "production", by: Team.eve)
        try await desk.put("one", isDraft: true)
        for author in [Author(id: "6", name: "Dave"), Author(id: "7", name: "dave ")] {
            let approved = try await documents.approve(1, of: desk.key, by: author)
            #expect(approved.approvals.map(\.by) == ["6"])
        }
        // Dave's first token ends, so the second one approves.
        ended.withLock { $0 = ["6"] }
        let again = try await documents.approve(1, of: desk.key, by: Author(id: "7", name: "dave "))
        #expect(again.approvals.map(\.by) == ["6", "7"])
        ended.withLock { $0 = [] }
        let error = await desk.error { try await documents.publish(1, of: desk.key, by: Team.eve) }
        #expect("\(String(describing: error))".contains("has 1"))
        _ = try await documents.approve(1, of: desk.key, by: Team.carol)
        _ = try await documents.publish(1, of: desk.key, by: Team.eve)
        #expect(try await desk.findings() == [])
    }

    @Test(
        "approvals by a revoked token count neither for publication nor for a roll-back",
        arguments: StoreKind.allCases
    )
    func revokedApproval(kind: StoreKind) async throws {
        let ended = Locked<Set<String>>([])
        let (desk, documents) = try await Desk.ending(kind, ended)
        try await documents.set(EnvironmentRules(approvals: 1), of: "production", by: Team.eve)
        try await desk.put("one", isDraft: true)
        _ = try await documents.approve(1, of: desk.key, by: Desk.bob)
        ended.withLock { $0 = [Desk.bob.id] }
        let published = await desk.error {
            try await documents.publish(1, of: desk.key, by: Desk.ada)
        }
        let said = "the approval by bob doesn't count: its token was revoked"
        #expect("\(String(describing: published))".contains(said))
        let back = await desk.error {
            try await documents.rollback(to: 1, of: desk.key, by: Desk.ada)
        }
        #expect(back != nil)
        ended.withLock { $0 = [] }
        _ = try await documents.publish(1, of: desk.key, by: Desk.ada)
        #expect(try await desk.findings() == [])
    }
}
