import Testing

@testable import Plug

@Suite("Shares of a split")
struct SplitShareTests {
    /// How 10,000 callers fall on some shares.
    private func choices(_ shares: [(String, Double)]) -> [String] {
        let lots = shares.map { SplitShare($0.0, of: "Like", share: $0.1) }
        return (0..<10_000).map { shares[SplitShare.choice("user \($0)", lots)].0 }
    }

    @Test("of three shares, one that grows retains its callers and takes some from the others")
    func growingOfThree() {
        let few = choices([("one", 60), ("two", 30), ("three", 10)])
        let many = choices([("one", 50), ("two", 25), ("three", 25)])
        for (before, after) in zip(few, many) where before != after { #expect(after == "three") }
        // 10,000 draws at 25 %, give or take 3 σ.
        #expect((2370...2630).contains(many.count { $0 == "three" }))
        #expect((4850...5150).contains(many.count { $0 == "one" }))
    }

    @Test("removing a share moves few callers of the other shares")
    func going() {
        let all = choices([("one", 80), ("two", 10), ("three", 10)])
        let rest = choices([("one", 90), ("two", 10)])
        let moved = zip(all, rest).filter { $0 != $1 }
        #expect(moved.allSatisfy { before, _ in before == "three" || before == "two" })
        // The share of the one that went falls to the leader: of the other's callers few move.
        #expect(moved.count { before, _ in before == "two" } < 200)
    }

    @Test("a key's draw is the same in every process, and differs between actions and names")
    func draws() {
        func draw(_ name: String, _ action: String) -> Double {
            SplitShare(name, of: action, share: 1).draw("ada")
        }
        #expect(draw("one", "Like") == draw("one", "Like"))
        #expect(draw("one", "Like") != draw("two", "Like"))
        #expect(draw("one", "Like") != draw("one", "List"))
        #expect(draw("a", "bc") != draw("ab", "c"))
    }
}
