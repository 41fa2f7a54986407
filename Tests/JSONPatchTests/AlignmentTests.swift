import JSONPatch
import SeededNumbers
import Testing

@Suite("Alignment of two lists")
struct AlignmentTests {
    /// Elements of numbers; equal tens are equal labels.
    private func elements(_ numbers: [Int]) -> [Alignment.Element] {
        numbers.map { Alignment.Element(number: $0, label: $0 < 100 ? [$0 / 10] : nil) }
    }

    private func align(_ old: [Int], _ new: [Int]) -> Alignment {
        Alignment(elements(old), elements(new))
    }

    @Test(
        "equal elements take precedence, then equal labels, moved elements and neighbours",
        arguments: [
            ([], [], [], []), ([1, 2], [], [], []), ([], [1], [nil], [false]),
            ([1, 11, 21], [1, 11, 21], [0, 1, 2], [false, false, false]),
            ([1, 11, 21], [1, 21], [0, 2], [false, false]),
            ([1, 21], [1, 11, 21], [0, nil, 1], [false, false, false]),
            // A changed value has its label only.
            ([1, 11, 21], [1, 12, 21], [0, 1, 2], [false, false, false]),
            ([1, 11, 21, 31], [31, 1, 11, 21], [3, 0, 1, 2], [true, false, false, false]),
            ([11, 21, 31, 12], [13, 21, 31], [0, 1, 2], [false, false, false]),
            // Without labels they pair within a gap.
            ([1, 100, 21], [1, 101, 21], [0, 1, 2], [false, false, false]),
            ([1, 21], [1, 100, 21], [0, nil, 1], [false, false, false]),
        ] as [([Int], [Int], [Int?], [Bool])]
    )
    func pairs(old: [Int], new: [Int], origins: [Int?], moved: [Bool]) {
        let alignment = align(old, new)
        #expect(alignment.origins == origins)
        #expect(alignment.isMoved == moved)
        let kept = Set(origins.compactMap { $0 })
        #expect(alignment.isGone == old.indices.map { !kept.contains($0) })
    }

    @Test("no old element is used twice, and unmoved ones preserve their order", arguments: 0..<50)
    func random(seed: Int) {
        var numbers = SeededNumbers(seed: UInt64(seed))
        func list() -> [Int] {
            (0..<Int.random(in: 0..<40, using: &numbers)).map { _ in
                Int.random(in: 0..<130, using: &numbers)
            }
        }
        let (old, new) = (list(), list())
        let alignment = align(old, new)
        let origins = alignment.origins.compactMap { $0 }
        #expect(Set(origins).count == origins.count)
        let unmoved = zip(alignment.origins, alignment.isMoved).compactMap { $1 ? nil : $0 }
        #expect(unmoved == unmoved.sorted())
        #expect(alignment.isGone.count { !$0 } == origins.count)
        // An equal element isn't removed while a new one has no origin.
        for (place, number) in new.enumerated() where alignment.origins[place] == nil {
            #expect(!old.indices.contains { alignment.isGone[$0] && old[$0] == number })
        }
    }
}
