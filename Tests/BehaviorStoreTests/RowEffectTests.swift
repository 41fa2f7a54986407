import JSONCodec
import Testing

@testable import BehaviorStore

@Suite("The effect of a row on the store")
struct RowEffectTests {
    private func row(_ change: AuditChange, from before: JSON? = nil, to after: JSON?) -> AuditRow {
        AuditRow(
            after: AuditHead(sequence: 6, hash: AuditHead.none.hash),
            at: 1_000,
            author: Desk.bob,
            change: change.rawValue,
            environment: "production",
            name: "default",
            from: before?.description,
            to: after?.description
        )
    }

    private func state(latest: Int, live: Int?, since: Int? = nil) throws -> DocumentState {
        let key = try #require(DocumentKey("default"))
        return DocumentState(key: key, latest: latest, live: live, since: since)
    }

    private func keys(_ effect: RowEffect) -> [String] {
        effect.records.map { "\($0.value == nil ? "-" : "+")\($0.key)" }
    }

    @Test("a draft is the newest revision, has a record and isn't live")
    func draft() throws {
        let after: JSON = ["revision": 3, "digest": "d", "live": false]
        let known = try state(latest: 2, live: 1, since: 10)
        let effect = try #require(row(.draft, to: after).effect(on: known) { _ in nil })
        #expect(effect.document == (try state(latest: 3, live: 1, since: 10)))
        #expect(keys(effect) == ["+draft 3 of default in production"])
    }

    @Test("publishing makes a draft live and removes its record; its time never goes back")
    func publish() throws {
        let after: JSON = ["revision": 2, "digest": "d", "live": true, "schedule": 4]
        let known = try state(latest: 2, live: 1, since: 2_000)
        let effect = try #require(row(.publish, to: after).effect(on: known) { _ in nil })
        #expect(effect.document == (try state(latest: 2, live: 2, since: 2_000)))
        let document = "default in production"
        #expect(keys(effect) == ["-draft 2 of \(document)", "-schedule 4 of \(document)"])
    }

    @Test("the first revision creates the document")
    func first() throws {
        let after: JSON = ["revision": 1, "digest": "d", "live": true]
        let effect = try #require(row(.publish, to: after).effect(on: nil) { _ in nil })
        #expect(effect.document == (try state(latest: 1, live: 1, since: 1_000)))
        #expect(effect.records.isEmpty)
    }

    @Test("an approval is added to the draft's record, and has no effect without one")
    func approve() throws {
        let after: JSON = ["draft": 2, "digest": "d", "approvals": ["2"]]
        let row = row(.approve, to: after)
        let effect = try #require(row.effect(on: nil) { _ in #"{"approvals":[]}"# })
        let text = try #require(effect.records.first?.value)
        let draft = try #require(DraftRecord(text))
        #expect(draft.approvals.map(\.by) == ["2"] && draft.approvals.map(\.at) == [1_000])
        #expect(effect.document == nil)
        for kept in [nil, "", "[]"] { #expect(row.effect(on: nil, { _ in kept }) == nil) }
    }

    @Test("a schedule has its row's number, and its end removes it")
    func schedule() throws {
        let made = try #require(row(.schedule, to: ["at": 1]).effect(on: nil) { _ in nil })
        #expect(keys(made) == ["+schedule 7 of default in production"])
        for change in [AuditChange.cancel, .scheduleEnded] {
            let row = row(change, from: ["schedule": 5], to: nil)
            let ended = try #require(row.effect(on: nil) { _ in nil })
            #expect(keys(ended) == ["-schedule 5 of default in production"])
        }
    }

    @Test("an unreadable row has no effect")
    func unreadable() {
        for change in [AuditChange.draft, .publish, .rollback, .promote, .approve] {
            for after: JSON? in [nil, [], ["revision": "1"], ["live": true]] {
                #expect(row(change, to: after).effect(on: nil, { _ in nil }) == nil, "\(change)")
            }
        }
        #expect(row(.cancel, from: [:], to: nil).effect(on: nil, { _ in nil }) == nil)
        var unknown = row(.draft, to: [:])
        unknown.change = "fly"
        #expect(unknown.effect(on: nil, { _ in nil }) == nil)
    }
}
