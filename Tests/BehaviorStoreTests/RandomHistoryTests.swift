import Foundation
import JSONCodec
import Locking
import SeededNumbers
import Testing

@testable import BehaviorStore

/// Whatever people do, one after the other, its rows tell it: nothing is found, here or in another store
/// that takes it over.
@Suite("Random histories")
struct RandomHistoryTests {
    private static let people = ["ada", "bob", "carol", "dan"].enumerated().map {
        Author(id: String($0.offset + 1), name: $0.element, address: "::1")
    }

    /// The actions of people, by a seed.
    private struct History {
        var random: SeededNumbers
        let desk: Desk
        let clock: Locked<Int>

        init(_ kind: StoreKind, seed: UInt64) throws {
            random = SeededNumbers(seed: seed)
            let clock = Locked(1_000_000)
            self.clock = clock
            desk = try Desk(kind) { clock.withLock { $0 } }
        }

        mutating func pick<Element>(_ elements: [Element]) -> Element {
            elements[Int.random(in: elements.indices, using: &random)]
        }

        mutating func key() throws -> DocumentKey {
            let environment = pick(["dev", "staging", "production", "production"])
            return try #require(DocumentKey("default", in: environment))
        }

        /// Returns a number of a revision, mostly a late one, sometimes a missing one.
        mutating func revision(of key: DocumentKey) async throws -> Int {
            let latest = try await desk.store.backend().document(key)?.latest ?? 0
            return Int.random(in: max(1, latest - 4)...max(1, latest + 1), using: &random)
        }

        mutating func text() -> [UInt8] {
            Desk.text("text \(Int.random(in: 0..<40, using: &random))")
        }

        /// Does one thing, or is refused.
        mutating func step() async throws {
            let documents = desk.documents
            let author = pick(RandomHistoryTests.people)
            let key = try key()
            let number = try await revision(of: key)
            let isDraft = Bool.random(using: &random)
            let operations: JSON = [
                ["op": "add", "path": "/0/part", "value": .number(JSON.Number(number))]
            ]
            switch Int.random(in: 0..<17, using: &random) {
            case 0, 1, 2:
                _ = try await documents.put(text(), as: key, isDraft: isDraft, by: author)
            case 3, 4:
                _ = try await documents.patch(
                    key,
                    with: operations.encoded(),
                    as: .operations,
                    revision: isDraft ? number : nil,
                    isDraft: isDraft,
                    by: author
                )
            case 5: _ = try await documents.publish(number, of: key, by: author)
            case 6: _ = try await documents.rollback(to: number, of: key, by: author)
            case 7, 8, 9:
                _ = try await documents.promote(
                    isDraft ? nil : number,
                    of: key,
                    to: pick(["dev", "staging", "production"]),
                    overriddenBy: pick([nil, operations]),
                    isDraft: isDraft,
                    by: author
                )
            case 10:
                if isDraft {
                    _ = try await documents.override(key, with: operations, by: author)
                } else {
                    _ = try await documents.removeOverrides(of: key, by: author)
                }
            case 11:
                let rules = EnvironmentRules(approvals: pick([0, 1, 1, 2]))
                try await documents.set(rules, of: key.environment, by: author)
            case 12, 13: _ = try await documents.approve(number, of: key, by: author)
            case 14:
                let time = clock.withLock { $0 } + pick([0, 5, 50])
                _ = try await documents.schedule(number, of: key, at: time, by: author)
            case 15:
                let known = try await documents.schedules(of: key)
                guard !known.isEmpty else { return }
                _ = try await documents.cancel(pick(known).id, of: key, by: author)
            default:
                let time = clock.withLock { now in
                    now += 20
                    return now
                }
                try await documents.fire(at: time)
                if desk.store.kind == .directory { try edit(key) }
            }
        }

        /// Writes a live file as an editor does, and has it looked at.
        mutating func edit(_ key: DocumentKey) throws {
            let path = "\(desk.store.folder)/\(key.environment)/\(key.name).json"
            guard FileManager.default.fileExists(atPath: path) else { return }
            try Data(text()).write(to: URL(fileURLWithPath: path), options: .atomic)
            try desk.documents.begin()
        }
    }

    @Test(
        "random histories verify without findings, also after export and import",
        arguments: StoreKind.allCases,
        [1, 2, 3, 4, 5, 6, 7, 60]
    )
    func rows(kind: StoreKind, seed: Int) async throws {
        var history = try History(kind, seed: UInt64(seed) * 7919)
        for _ in 0..<200 {
            do { try await history.step() } catch is BehaviorStoreError {}
        }
        let head = try await history.desk.store.backend().head()
        #expect(head.sequence > 60)
        #expect(try await history.desk.findings() == [])
        let other = try Desk(other(than: kind, seed))
        let archive = try BehaviorArchive(await history.desk.exported())
        try await other.documents.load(archive, by: Desk.ada)
        #expect(try await other.findings() == [])
        #expect(try await other.exported() == history.desk.exported())
    }

    private func other(than kind: StoreKind, _ seed: Int) -> StoreKind {
        let others = StoreKind.allCases.filter { $0 != kind }
        return others[seed % others.count]
    }
}
