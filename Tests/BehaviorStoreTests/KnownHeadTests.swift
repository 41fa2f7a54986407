import Testing

@testable import BehaviorStore

@Suite("The served head")
struct KnownHeadTests {
    private func head(_ sequence: Int) -> AuditHead {
        AuditHead(sequence: sequence, hash: String(repeating: "\(sequence)", count: 64))
    }

    @Test("advances only forward, and only while its condition holds")
    func forward() async throws {
        let known = KnownHead(try Desk(.sqlite).store.backend())
        known.advance(to: head(2)) { true }
        #expect(known.current == head(2))
        known.advance(to: head(1)) { true }
        known.advance(to: head(3)) { false }
        #expect(known.current == head(2))
    }

    @Test("advances over its own process's change, but not over another's")
    func own() async throws {
        let known = KnownHead(try Desk(.sqlite).store.backend())
        known.advance(from: .none, to: head(1))
        #expect(known.current == head(1))
        known.advance(from: head(2), to: head(3))
        #expect(known.current == head(1))
        known.reset()
        #expect(known.current == .none)
    }

    @Test("an emptied store is unavailable until it has contents again")
    func emptied() async throws {
        let desk = try Desk(.sqlite)
        let known = KnownHead(try desk.store.backend())
        #expect(try await known.readLast() == .none)
        #expect(known.loss == nil)
        known.advance(to: head(1)) { true }
        await #expect(throws: BehaviorStoreError.unavailable("the store was emptied")) {
            try await known.readLast()
        }
        #expect(known.loss == "the store was emptied")
        try await desk.put("one")
        #expect(try await known.readLast().sequence == 1)
        #expect(known.loss == nil)
    }
}
