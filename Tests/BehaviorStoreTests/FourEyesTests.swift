import JSONCodec
import SeededNumbers
import Testing

@testable import BehaviorStore

/// Mallory's work goes live only with another person's approval.
///
/// Mallory and Ada do anything in any order through any environments, while Carol approves only
/// Ada's work.
@Suite("Four-eyes principle")
struct FourEyesTests {
    private static let ada = Author(id: "1", name: "ada")
    /// Mallory approves whatever she can, and has two tokens.
    private static let mallory = [
        Author(id: "6", name: "mallory"), Author(id: "7", name: "mallory"),
    ]

    /// The actions of the two, by a seed.
    private struct Work {
        var random: SeededNumbers
        let desk: Desk
        /// The documents that Ada alone has made, from documents that she alone had made.
        private(set) var hers: Set<[UInt8]> = []
        /// The environments whose overrides are Mallory's.
        private var overridden: Set<String> = []

        init(seed: Int) async throws {
            random = SeededNumbers(seed: UInt64(seed))
            desk = try await Team().desk(.sqlite).desk
        }

        private mutating func pick<Element>(_ elements: [Element]) -> Element {
            elements[Int.random(in: elements.indices, using: &random)]
        }

        private func latest(_ key: DocumentKey) async throws -> Int {
            try await desk.store.backend().document(key)?.latest ?? 0
        }

        private func bytes(_ number: Int, _ key: DocumentKey) async throws -> [UInt8] {
            try await desk.documents.revision(number, of: key).bytes
        }

        private func marks(_ bytes: [UInt8]) throws -> [String] {
            let members = try JSON(parsing: bytes)[0]?.object?.map(\.0) ?? []
            return members.filter { $0.hasPrefix("mark") }
        }

        /// A patch that leaves a mark of somebody's, or takes away one of those.
        private mutating func operations(upon marks: [String], by author: Author) -> JSON {
            if !marks.isEmpty, Bool.random(using: &random) {
                return [["op": "remove", "path": .string("/0/\(pick(marks))")]]
            }
            let letter = author == FourEyesTests.ada ? pick(["a", "b"]) : pick(["m", "n"])
            return [["op": "add", "path": .string("/0/mark-\(letter)"), "value": true]]
        }

        /// Does one thing, or is refused.
        mutating func step() async throws {
            let (documents, ada) = (desk.documents, FourEyesTests.ada)
            // What Mallory makes a draft of for production is Mallory's own.
            let author = pick(FourEyesTests.mallory + [ada, ada, ada, ada, ada])
            let isAda = author == ada
            let environments = isAda ? ["staging", "production"] : ["staging"]
            let key = try #require(DocumentKey("default", in: pick(environments)))
            let other = try #require(DocumentKey("default", in: pick(environments)))
            let isDraft = Int.random(in: 0..<5, using: &random) < 3
            let last = try await latest(key)
            let number = Int.random(in: max(1, last - 2)...max(1, last), using: &random)
            let source = last > 0 ? try await bytes(number, key) : []
            let isHers = isAda && hers.contains(source)
            switch Int.random(in: 0..<24, using: &random) {
            case 0..<4:
                let text = Desk.text(isAda ? pick(["one", "two"]) : "other")
                if isAda { hers.insert(text) }
                _ = try await documents.put(text, as: key, isDraft: isDraft, by: author)
            case 4..<8 where last > 0:
                _ = try await documents.patch(
                    key,
                    with: operations(upon: marks(source), by: author).encoded(),
                    as: .operations,
                    revision: number,
                    isDraft: isDraft,
                    by: author
                )
                if isHers { try await hers.insert(bytes(last + 1, key)) }
            case 8..<14 where last > 0:
                let target = try await latest(other)
                _ = try await documents.promote(
                    number,
                    of: key,
                    to: other.environment,
                    overriddenBy: pick([
                        nil, nil, nil, try operations(upon: marks(source), by: author),
                    ]),
                    isDraft: isDraft,
                    by: author
                )
                if isHers && !overridden.contains(other.environment) {
                    try await hers.insert(bytes(target + 1, other))
                }
            case 14..<18: try await override(isRemoved: isDraft, by: author)
            case 18: _ = try await documents.rollback(to: number, of: key, by: author)
            default: try await release(as: author)
            }
        }

        /// Keeps overrides for one of the environments, or none.
        private mutating func override(isRemoved: Bool, by author: Author) async throws {
            let key = pick([desk.key, desk.staging])
            if isRemoved {
                _ = try await desk.documents.removeOverrides(of: key, by: author)
            } else {
                let patch = operations(upon: ["mark-a", "mark-m"], by: author)
                _ = try await desk.documents.override(key, with: patch, by: author)
            }
            overridden.remove(key.environment)
            if !isRemoved && author != FourEyesTests.ada { overridden.insert(key.environment) }
        }

        /// Approves of a late draft for production, and makes it live.
        private mutating func release(as author: Author) async throws {
            let last = try await latest(desk.key)
            guard last > 0 else { return }
            let number = pick([last, max(1, last - 1)])
            let isHers = try await hers.contains(bytes(number, desk.key))
            let approver = pick(isHers ? [Team.carol] : FourEyesTests.mallory)
            _ = try await desk.documents.approve(number, of: desk.key, by: approver)
            _ = try await desk.documents.publish(number, of: desk.key, by: author)
        }
    }

    @Test(
        "authors can't publish another person's work with only their own approval",
        arguments: 1...16
    )
    func alone(seed: Int) async throws {
        var work = try await Work(seed: seed * 104_729)
        var wentLive: Set<Int> = []
        for _ in 0..<300 {
            do { try await work.step() } catch is BehaviorStoreError {}
            let state = try await work.desk.store.backend().document(work.desk.key)
            guard let live = state?.live, wentLive.insert(live).inserted else { continue }
            let bytes = try await work.desk.documents.revision(live, of: work.desk.key).bytes
            guard work.hers.contains(bytes) else {
                let text = String(decoding: bytes, as: UTF8.self)
                Issue.record("revision \(live) went live, which isn't Ada's alone: \(text)")
                return
            }
        }
        // And what is hers alone does go live.
        #expect(wentLive.count > 2)
        #expect(try await work.desk.findings() == [])
    }
}
