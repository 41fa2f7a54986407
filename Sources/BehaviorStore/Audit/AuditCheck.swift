/// The verification of a store's audit: its rows are complete, unchanged and in order, and the
/// stored documents and records match them.
///
/// The hash chain reveals changes between its ends. An attacker with write access to all rows can
/// replace the whole chain by another valid one. Note the last row's hash elsewhere to detect that.
package struct AuditCheck: Sendable {
    /// The most findings in a report.
    package static let maximumCount = 100
    private static let page = 1_000
    /// How far from its place a moved row is searched.
    private static let reach = 1_000

    /// The problems found, a sentence each; empty if there is none.
    package private(set) var findings: [String] = []
    /// The number of rows.
    package private(set) var count = 0
    /// The last row.
    package private(set) var head = AuditHead.none
    /// The state that results from the rows.
    private(set) var state = AuditedState()

    /// The last place that was read; invalid rows may have any number.
    private var place = Int.min
    /// Whether all rows read so far are unchanged and in order.
    private var isChained = true
    /// The hash that no row has had so far; nil if none is expected.
    private var expected: String?

    /// Verifies a store; `hash` is the hash of a row that is known to have been written.
    ///
    /// Concurrent changes are allowed.
    package init(
        _ backend: any StoredBehaviors,
        expecting hash: String? = nil
    ) async throws {
        expected = hash
        do {
            try await read(backend)
        } catch {
            // Queries of an edited schema may fail: that is a finding, not an unavailable store.
            let parts = (try? await backend.foreignParts()) ?? []
            guard !parts.isEmpty else { throw error }
            for part in parts { find(part.description) }
            find("the rest can't be read: \(error)")
        }
    }

    private mutating func read(_ backend: any StoredBehaviors) async throws {
        let kept = try await StoreSnapshot(backend)
        try await readRows(backend, upTo: kept.head.sequence)
        let said = state
        try await readRows(backend)
        if let expected { find("no row has the hash \(expected)") }
        for finding in try await backend.contradictions() { find(finding) }
        try await compare(kept.documents, said.documents, backend)
        compare(kept.records, said.records)
    }

    /// Whether the report has room for more findings.
    var isOpen: Bool { findings.count < Self.maximumCount }

    mutating func find(_ text: String) {
        if isOpen { findings.append(text) }
    }

    // MARK: The chain

    /// Reads the rows after the last one read, up to a place.
    mutating func readRows(
        _ backend: any StoredBehaviors,
        upTo last: Int = .max
    ) async throws {
        while isOpen, place < last {
            let rows = try await backend.audit(after: place, limit: Self.page)
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
                row.sequence < 1 ? "the first one is row 1" : "another row has that number"
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
                find("row \(row.sequence) was moved: it was written as row \(place)")
            } else {
                find("row \(row.sequence) was edited: its hash doesn't match its content")
            }
        } else if row.sequence == next, row.previous != head.hash {
            isChained = false
            find(
                "row \(row.sequence) doesn't follow row \(head.sequence), which was replaced"
            )
        }
        // After an edited row the state is unknown, so that the rules can't be checked.
        if isChained, let reason = state.objection(to: row) {
            find("row \(row.sequence): \(reason)")
        }
        head = AuditHead(row)
        if expected == row.hash { expected = nil }
        count += 1
        state.take(row)
    }

    /// Returns the number for which a row's hash is correct; nil if none is near.
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
