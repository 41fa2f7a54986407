import JSONCodec
import Testing

@testable import BehaviorStore

@Suite("A change under construction")
struct LedgerTests {
    private func ledger(upon base: AuditHead = .none) throws -> Ledger {
        try Ledger(upon: base, at: 1_000, by: Desk.ada)
    }

    private func revision() throws -> NewRevision {
        let key = try #require(DocumentKey("default"))
        return NewRevision(key, Desk.text("one"), nil, message: "First")
    }

    @Test("its rows continue the base and one another")
    func rows() throws {
        let base = AuditHead(sequence: 7, hash: String(repeating: "a", count: 64))
        var ledger = try self.ledger(upon: base)
        #expect(ledger.head == base)
        for _ in 0..<2 {
            try ledger.note(.rules, environment: "staging", name: "", from: nil, to: [:])
        }
        #expect(ledger.change.audit.map(\.sequence) == [8, 9])
        #expect(ledger.change.audit.first?.previous == base.hash)
        #expect(ledger.change.audit.last?.previous == ledger.change.audit.first?.hash)
        #expect(ledger.head == ledger.change.audit.last.map(AuditHead.init))
        #expect(ledger.change.follows(base))
        #expect(!ledger.change.follows(ledger.head))
        #expect(!ledger.change.follows(.none))
    }

    @Test("a live revision has a row, a state, and is served; a draft has a record instead")
    func revisions() throws {
        for isLive in [true, false] {
            var ledger = try self.ledger()
            let what = isLive ? AuditChange.publish : .draft
            let info = try ledger.add(
                revision(),
                to: nil,
                live: nil,
                isLive: isLive,
                as: what
            )
            #expect(info.number == 1 && info.created == 1_000 && info.message == "First")
            #expect(ledger.change.revisions.map(\.info) == [info])
            #expect(ledger.change.documents.map(\.live) == [isLive ? 1 : nil])
            #expect(ledger.change.records.map(\.key.kind) == (isLive ? [] : [.draft]))
            #expect(ledger.live.map(\.revision.info) == (isLive ? [info] : []))
        }
    }

    @Test("a row that can't be read back isn't added")
    func unreadable() throws {
        var ledger = try self.ledger()
        #expect(throws: BehaviorStoreError.self) {
            try ledger.note(.cancel, environment: "staging", name: "a", from: [:], to: nil)
        }
        #expect(ledger.change.audit.isEmpty)
    }

    @Test("no row and no revision follows the greatest number")
    func greatest() throws {
        let last = AuditHead(sequence: 1 << 53 - 1, hash: AuditHead.none.hash)
        #expect(throws: BehaviorStoreError.self) { _ = try self.ledger(upon: last) }
        var ledger = try self.ledger()
        let key = try #require(DocumentKey("default"))
        #expect(throws: BehaviorStoreError.self) {
            try ledger.add(
                revision(),
                to: DocumentState(key: key, latest: 1 << 53 - 1),
                live: nil,
                isLive: false,
                as: .draft
            )
        }
        #expect(ledger.change.revisions.isEmpty)
    }

    @Test("another store's contents replace it, and their live revisions are served")
    func load() async throws {
        let desk = try await Desk.revised(.sqlite)
        let archive = try BehaviorArchive(await desk.exported())
        var ledger = try self.ledger()
        ledger.load(archive.contents)
        #expect(ledger.change.audit == archive.rows)
        #expect(ledger.change.revisions == archive.revisions)
        #expect(ledger.live.map(\.revision.info.number) == [4])
        #expect(ledger.live.map(\.isVerified) == [true])
    }
}
