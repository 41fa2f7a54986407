/// The verifying of a store's audit: that its rows are those that were written, all of them and in
/// their order, and that the documents and what is kept beside them are what the rows say.
///
/// A chain of hashes shows what was changed in its midst. Whoever can write the whole of it anew can
/// make another that is as good: note the last row's hash elsewhere to tell.
package struct AuditCheck: Sendable {
    /// The most findings that are told.
    package static let greatestCount = 100
    private static let page = 1_000
    /// How far from its place a row that was moved is looked for.
    private static let reach = 1_000

    /// What is wrong, a sentence each; none where all is right.
    package private(set) var findings: [String] = []
    /// How many rows there are.
    package private(set) var count = 0
    /// The last row.
    package private(set) var head = AuditHead.none
    /// What the rows say.
    private(set) var state = AuditedState()

    /// Up to where rows were read; there may be some where none can have been written.
    private var place = Int.min
    /// Whether all rows are those that were written, as far as they were read.
    private var isChained = true
    /// The hash of a row that has to come yet; nil where there is none.
    private var expected: String?

    /// Verifies a store; `hash` is of a row that is known to have been written.
    ///
    /// Others may change something meanwhile.
    package init(
        _ keeping: any BehaviorKeeping,
        expecting hash: String? = nil
    ) async throws {
        expected = hash
        let kept = try await KeptSnapshot(keeping)
        try await readRows(keeping, upTo: kept.head.sequence)
        let said = state
        try await readRows(keeping)
        if let expected { find("no row has the hash \(expected)") }
        for finding in try await keeping.contradictions() { find(finding) }
        try await compare(kept.documents, said.documents, keeping)
        compare(kept.records, said.records)
    }

    /// Whether there is room for more findings.
    var isOpen: Bool { findings.count < Self.greatestCount }

    mutating func find(_ text: String) {
        if isOpen { findings.append(text) }
    }

    // MARK: The chain

    /// Reads the rows that weren't read yet, up to a place.
    mutating func readRows(
        _ keeping: any BehaviorKeeping,
        upTo last: Int = .max
    ) async throws {
        while isOpen, place < last {
            let rows = try await keeping.audit(after: place, limit: Self.page)
            let wanted = rows.prefix { $0.sequence <= last }
            for row in wanted { take(row) }
            if rows.isEmpty || wanted.count < rows.count { return }
        }
    }

    private mutating func take(_ row: AuditRow) {
        place = max(place, row.sequence)
        guard row.sequence > head.sequence else {
            isChained = false
            let reason =
                row.sequence < 1 ? "the first one is row 1" : "there is another of that number"
            return find("row \(row.sequence) was inserted: \(reason)")
        }
        let next = head.sequence + 1
        if row.sequence > next {
            let last = row.sequence - 1
            isChained = false
            find(last == next ? "row \(next) is missing" : "rows \(next) to \(last) are missing")
        }
        if row.hash != row.computedHash {
            isChained = false
            if let place = writtenPlace(of: row) {
                find("row \(row.sequence) is another's: it was written as row \(place)")
            } else {
                find("row \(row.sequence) was edited: its hash isn't that of what it says")
            }
        } else if row.sequence == next, row.previous != head.hash {
            isChained = false
            find(
                "row \(row.sequence) doesn't follow upon row \(head.sequence), which is another now"
            )
        }
        // What follows upon a row that somebody has edited says nothing of the rules.
        if isChained, let reason = state.objection(to: row) {
            find("row \(row.sequence): \(reason)")
        }
        head = AuditHead(row)
        if expected == row.hash { expected = nil }
        count += 1
        state.take(row)
    }

    /// Under which number a row's hash is right, where there is one near.
    private func writtenPlace(of row: AuditRow) -> Int? {
        var moved = row
        for distance in 1...Self.reach {
            let (above, isBeyond) = row.sequence.addingReportingOverflow(distance)
            for place in [row.sequence - distance, isBeyond ? 0 : above] where place > 0 {
                moved.sequence = place
                if moved.computedHash == row.hash { return place }
            }
        }
        return nil
    }
}
