import Foundation
import JSONCodec
import Locking
import Testing

@testable import BehaviorStore

@Suite("The life of drafts", .timeLimit(.minutes(5)))
struct DraftsTests {
    private func waiting(
        _ documents: BehaviorDocuments,
        in environment: String? = nil,
        named name: String? = nil
    ) async throws -> [String] {
        try await documents.waitingDrafts(in: environment, named: name).elements.map { one in
            "\(one.info.number) of \(one.info.key): \(one.approvals.given) of "
                + "\(one.approvals.needed) \(one.draft.approvals.map(\.name))"
        }
    }

    @Test("a list of many drafts needs few queries")
    func queries() async throws {
        let desk = try Desk(.sqlite)
        for number in 1...40 { try await desk.put("\(number)", isDraft: true) }
        _ = try await desk.documents.schedule(3, of: desk.key, at: 2_000_000, by: Desk.ada)
        let count = Locked(0)
        let documents = try desk.documents(
            with: .init(
                beforeRevisions: { _ in count.withLock { $0 += 1 } },
                beforeRecords: { _ in count.withLock { $0 += 1 } }
            )
        )
        let drafts = try await documents.waitingDrafts()
        #expect(drafts.elements.map(\.info.number) == Array(1...40) && drafts.isComplete)
        let schedules = drafts.elements.map(\.schedules.count)
        #expect(schedules == [0, 0, 1] + Array(repeating: 0, count: 37))
        #expect(count.withLock { $0 } < 12)
        let first = try await documents.waitingDrafts(limit: 39)
        #expect(first.elements.map(\.info.number) == Array(1...39) && !first.isComplete)
    }

    @Test(
        "waiting drafts are listed over all documents, with their approvals",
        arguments: StoreKind.allCases
    )
    func list(kind: StoreKind) async throws {
        let ended = Locked<Set<String>>([])
        let (desk, documents) = try await Desk.ending(kind, ended)
        try await documents.set(EnvironmentRules(approvals: 2), of: "production", by: Team.eve)
        let banner = try #require(DocumentKey("banner"))
        func draft(_ word: String, _ key: DocumentKey) async throws {
            _ = try await documents.put(Desk.text(word), as: key, isDraft: true, by: Desk.ada)
        }
        try await draft("one", desk.key)
        try await draft("two", desk.key)
        try await draft("three", banner)
        try await draft("four", desk.staging)
        _ = try await documents.approve(2, of: desk.key, by: Desk.bob)
        _ = try await documents.approve(2, of: desk.key, by: Team.carol)
        let all = [
            "1 of banner in production: 0 of 2 []", "1 of default in production: 0 of 2 []",
            "2 of default in production: 2 of 2 [\"bob\", \"carol\"]",
            "1 of default in staging: 0 of 0 []",
        ]
        #expect(try await waiting(documents) == all)
        #expect(try await waiting(documents, in: "staging") == [all[3]])
        #expect(try await waiting(documents, named: "banner") == [all[0]])
        ended.withLock { _ = $0.insert(Desk.bob.id) }
        let second = try await documents.waitingDrafts(in: "production", named: "default")
            .elements.last
        #expect(second?.approvals.given == 1)
        #expect(
            second?.approvals.ended
                == ["the approval by bob doesn't count: its token was revoked"]
        )
        ended.withLock { $0.removeAll() }
        _ = try await documents.publish(2, of: desk.key, by: Desk.ada)
        #expect(try await waiting(documents, in: "production") == [all[0]])
        let missing = await desk.error { try await waiting(documents, in: "nowhere") }
        #expect(missing?.description.hasPrefix("there is no environment nowhere") == true)
    }

    @Test(
        "a discarded draft can't go live, and its history stays",
        arguments: StoreKind.allCases
    )
    func discard(kind: StoreKind) async throws {
        let desk = try Desk(kind)
        let documents = desk.documents
        try await desk.put("one")
        try await desk.put("two", isDraft: true)
        _ = try await documents.approve(2, of: desk.key, message: "Fine", by: Desk.bob)
        _ = try await documents.schedule(2, of: desk.key, at: 2_000_000, by: Desk.ada)
        let done = try await documents.discard(
            2,
            of: desk.key,
            message: "Too late",
            by: Team.carol
        )
        #expect(done.info.number == 2 && done.draft.discarded?.name == "carol")
        let rows = try await documents.backend.head().sequence
        let again = try await documents.discard(2, of: desk.key, by: Desk.bob)
        #expect(again.draft.discarded?.name == "carol")
        #expect(try await documents.backend.head().sequence == rows)
        let reason = BehaviorStoreError.conflict("draft 2 was discarded by carol: Too late")
        for error in [
            await desk.error { try await documents.publish(2, of: desk.key, by: Desk.ada).live },
            await desk.error {
                try await documents.rollback(to: 2, of: desk.key, by: Desk.ada).live
            },
            await desk.error {
                try await documents.approve(2, of: desk.key, by: Team.dan).info.number
            },
            await desk.error {
                try await documents.schedule(2, of: desk.key, at: 3_000_000, by: Desk.ada).id
            },
        ] { #expect(error == reason) }
        #expect(try await documents.schedules(of: desk.key).isEmpty)
        #expect(try await documents.waitingDrafts().elements.isEmpty)
        #expect(try await documents.revision(2, of: desk.key).bytes == Desk.text("two"))
        let history = try await documents.history(of: desk.key)
        #expect(history.map(\.stage) == [.discarded, .live])
        #expect(history[0].events.discarded?.message == "Too late")
        #expect(history[0].events.approvals.map(\.message) == ["Fine"])
        #expect(history[0].events.schedules.map(\.end) == [.failed("was discarded")])
        let no = await desk.error {
            try await documents.discard(1, of: desk.key, by: Desk.ada).info.number
        }
        #expect(no == .conflict("revision 1 is not a draft"))
        #expect(try await desk.findings() == [])
        _ = try BehaviorArchive(try await desk.exported())
        // A patch of it is another draft, which can go live.
        let team = Team()
        try await team.patch(desk.key, desk, revision: 2, isDraft: true, by: Desk.ada)
        _ = try await documents.discard(3, of: desk.key, by: Desk.ada)
        #expect(try await desk.findings() == [])
    }

    @Test("a discarded draft leaves room for others")
    func quota() async throws {
        var quotas = DocumentQuotas()
        quotas.drafts = 1
        let desk = try Desk(.sqlite)
        let documents = BehaviorDocuments(
            try desk.store.backend(),
            quotas: quotas,
            logger: KeptStore.quiet
        )
        func draft() async throws -> Int {
            try await documents.put(Desk.text("x"), as: desk.key, isDraft: true, by: Desk.ada)
                .info.number
        }
        #expect(try await draft() == 1)
        guard case .quota? = await desk.error(draft) else {
            Issue.record("a second draft is accepted")
            return
        }
        _ = try await documents.discard(1, of: desk.key, by: Desk.ada)
        #expect(try await draft() == 2)
    }

    @Test(
        "a comment or a reason with control characters, or too long, is rejected",
        arguments: ["a\u{1}b", String(repeating: "x", count: 1_001)]
    )
    func message(text: String) async throws {
        let desk = try Desk(.sqlite)
        try await desk.put("one", isDraft: true)
        for error in [
            await desk.error {
                try await desk.documents.approve(1, of: desk.key, message: text, by: Desk.bob)
                    .info.number
            },
            await desk.error {
                try await desk.documents.discard(1, of: desk.key, message: text, by: Desk.bob)
                    .info.number
            },
        ] {
            guard case .invalid(let problems)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(problems.map(\.pointer) == ["/message"])
        }
        #expect(try await desk.documents.backend.head().sequence == 1)
    }

    @Test("a folder's change that discards a draft has a format that earlier versions reject")
    func format() async throws {
        let desk = try Desk(.directory)
        try await desk.put("one", isDraft: true)
        _ = try await desk.documents.discard(1, of: desk.key, by: Desk.ada)
        let formats = try (1...2).map { place in
            let path = desk.store.folder + "/.history/0000000\(place).json"
            return try JSON(parsing: [UInt8](Data(contentsOf: URL(fileURLWithPath: path))))[
                "format"
            ]
        }
        #expect(formats == [1, 2])
        #expect(try await desk.elsewhere().history(of: desk.key).map(\.stage) == [.discarded])
    }

    @Test(
        "a row that publishes, approves or discards a discarded draft is found",
        arguments: StoreKind.databases
    )
    func forged(kind: StoreKind) async throws {
        let desk = try Desk(kind)
        try await desk.put("one", isDraft: true)
        _ = try await desk.documents.discard(1, of: desk.key, by: Desk.ada)
        let backend = try desk.store.backend()
        var state = AuditedState()
        let rows = try await backend.audit(after: 0, limit: 10)
        for row in rows {
            #expect(state.objection(to: row) == nil)
            state.take(row)
        }
        let (made, discarded) = (rows[0], rows[1])
        func objection(_ change: AuditChange, from before: String?, to after: String?) -> String? {
            state.objection(
                to: AuditRow(
                    after: AuditHead(discarded),
                    at: 1_000_000,
                    author: Desk.bob,
                    change: change.rawValue,
                    environment: "production",
                    name: "default",
                    from: before,
                    to: after
                )
            )
        }
        let live = made.after?.replacing("\"live\":false", with: "\"live\":true")
        #expect(
            objection(.publish, from: nil, to: live)
                == "draft 1 went live, but was discarded before"
        )
        #expect(
            objection(.discard, from: discarded.before, to: discarded.after)
                == "draft 1 was discarded before"
        )
        let approved = discarded.after?.replacing("[]", with: "[\"2\"]")
        #expect(
            objection(.approve, from: discarded.before, to: approved)
                == "draft 1 was discarded before"
        )
    }
}
