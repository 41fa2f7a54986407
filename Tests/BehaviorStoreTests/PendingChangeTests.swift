import JSONCodec
import Testing

@testable import BehaviorStore

@Suite("Pending changes")
struct PendingChangeTests {
    private func pending(upon base: AuditHead = .none) throws -> PendingChange {
        try PendingChange(upon: base, at: 1_000, by: Desk.ada)
    }

    private func revision() throws -> NewRevision {
        let key = try #require(DocumentKey("default"))
        return NewRevision(key, Desk.text("one"), nil, message: "First")
    }

    @Test("a change's rows continue the base and each other")
    func rows() throws {
        let base = AuditHead(sequence: 7, hash: String(repeating: "a", count: 64))
        var pending = try self.pending(upon: base)
        #expect(pending.head == base)
        for _ in 0..<2 {
            try pending.note(.rules, environment: "staging", name: "", from: nil, to: [:])
        }
        #expect(pending.change.audit.map(\.sequence) == [8, 9])
        #expect(pending.change.audit.first?.previous == base.hash)
        #expect(pending.change.audit.last?.previous == pending.change.audit.first?.hash)
        #expect(pending.head == pending.change.audit.last.map(AuditHead.init))
        #expect(pending.change.follows(base))
        #expect(!pending.change.follows(pending.head))
        #expect(!pending.change.follows(.none))
    }

    @Test("a live revision has a row and a state, and is served; a draft has a record instead")
    func revisions() throws {
        for isLive in [true, false] {
            var pending = try self.pending()
            let what = isLive ? AuditChange.publish : .draft
            let info = try pending.add(
                revision(),
                to: nil,
                live: nil,
                isLive: isLive,
                as: what
            )
            #expect(info.number == 1 && info.created == 1_000 && info.message == "First")
            #expect(pending.change.revisions.map(\.info) == [info])
            #expect(pending.change.documents.map(\.live) == [isLive ? 1 : nil])
            #expect(pending.change.records.map(\.key.kind) == (isLive ? [] : [.draft]))
            #expect(pending.live.map(\.revision.info) == (isLive ? [info] : []))
        }
    }

    @Test("a row that couldn't be read back isn't added")
    func unreadable() throws {
        var pending = try self.pending()
        #expect(throws: BehaviorStoreError.self) {
            try pending.note(.cancel, environment: "staging", name: "a", from: [:], to: nil)
        }
        #expect(pending.change.audit.isEmpty)
    }

    @Test("the greatest row and revision numbers have no successor")
    func greatest() throws {
        let last = AuditHead(sequence: 1 << 53 - 1, hash: AuditHead.none.hash)
        #expect(throws: BehaviorStoreError.self) { _ = try self.pending(upon: last) }
        var pending = try self.pending()
        let key = try #require(DocumentKey("default"))
        #expect(throws: BehaviorStoreError.self) {
            try pending.add(
                revision(),
                to: DocumentState(key: key, latest: 1 << 53 - 1),
                live: nil,
                isLive: false,
                as: .draft
            )
        }
        #expect(pending.change.revisions.isEmpty)
    }

    @Test("another store's contents replace the state, and their live revisions are served")
    func load() async throws {
        let desk = try await Desk.revised(.sqlite)
        let archive = try BehaviorArchive(await desk.exported())
        var pending = try self.pending()
        pending.load(archive.contents)
        #expect(pending.change.audit == archive.rows)
        #expect(pending.change.revisions == archive.revisions)
        #expect(pending.live.map(\.revision.info.number) == [4])
        #expect(pending.live.map(\.isVerified) == [true])
    }
}
