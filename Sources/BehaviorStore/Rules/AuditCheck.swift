import JSONCodec

/// The verifying of a store's audit: that its rows are those that were written, all of them and in
/// their order, and that the documents are what the rows say.
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

    private var documents: [DocumentKey: Audited] = [:]
    /// The hash of a row that has to come yet; nil where there is none.
    private var expected: String?

    /// What the rows say of a document.
    private struct Audited {
        var latest = 0
        var live: Int?
        var digests: [Int: String] = [:]
    }

    /// Verifies a store; `hash` is of a row that is known to have been written.
    package init(
        _ keeping: any BehaviorKeeping,
        expecting hash: String? = nil
    ) async throws {
        expected = hash
        while findings.count < Self.greatestCount {
            let rows = try await keeping.audit(after: head.sequence, limit: Self.page)
            guard !rows.isEmpty else { break }
            for row in rows { take(row) }
        }
        if let expected { find("no row has the hash \(expected)") }
        try await compare(keeping)
    }

    private mutating func find(_ text: String) {
        if findings.count < Self.greatestCount { findings.append(text) }
    }

    // MARK: The chain

    private mutating func take(_ row: AuditRow) {
        defer {
            head = AuditHead(row)
            if expected == row.hash { expected = nil }
            count += 1
        }
        let next = head.sequence + 1
        if row.sequence > next {
            let last = row.sequence - 1
            find(last == next ? "row \(next) is missing" : "rows \(next) to \(last) are missing")
        }
        if row.hash != row.computedHash {
            if let place = place(of: row) {
                find("row \(row.sequence) is another's: it was written as row \(place)")
            } else {
                find("row \(row.sequence) was edited: its hash isn't that of what it says")
            }
        } else if row.sequence == next, row.previous != head.hash {
            find(
                "row \(row.sequence) doesn't follow upon row \(head.sequence), which is another now"
            )
        }
        note(row)
    }

    /// Under which number a row's hash is right, where there is one near.
    private func place(of row: AuditRow) -> Int? {
        var moved = row
        for distance in 1...Self.reach {
            for place in [row.sequence - distance, row.sequence + distance] where place > 0 {
                moved.sequence = place
                if moved.computedHash == row.hash { return place }
            }
        }
        return nil
    }

    private mutating func note(_ row: AuditRow) {
        guard let key = DocumentKey(row.name, in: row.environment), let after = row.after,
            let audited = try? JSON.decode(AuditedRevision.self, from: after.utf8)
        else { return }
        var known = documents[key] ?? Audited()
        known.latest = max(known.latest, audited.revision)
        known.digests[audited.revision] = audited.digest
        if audited.live { known.live = audited.revision }
        documents[key] = known
    }

    // MARK: The documents

    private mutating func compare(_ keeping: any BehaviorKeeping) async throws {
        let states = try await keeping.documents()
        for state in states { try await compare(state, keeping) }
        let kept = Set(states.map(\.key))
        for key in documents.keys.sorted() where !kept.contains(key) {
            find("\(key) is missing")
        }
    }

    private mutating func compare(
        _ state: DocumentState,
        _ keeping: any BehaviorKeeping
    ) async throws {
        let audited = documents[state.key] ?? Audited()
        if audited.live != state.live {
            let said = audited.live.map { "revision \($0)" } ?? "nothing"
            let live = state.live.map { "revision \($0)" } ?? "nothing"
            find("\(state.key): \(live) is live, and the rows say \(said)")
        }
        var missing = Set(audited.digests.keys)
        var before: Int?
        while findings.count < Self.greatestCount {
            let page = try await keeping.revisions(of: state.key, before: before, limit: 100)
            guard let last = page.last else { break }
            for info in page {
                missing.remove(info.number)
                try await compare(info, audited.digests[info.number], keeping)
            }
            before = last.number
        }
        for number in missing.sorted() {
            find("\(state.key): revision \(number) is missing")
        }
    }

    private mutating func compare(
        _ info: RevisionInfo,
        _ digest: String?,
        _ keeping: any BehaviorKeeping
    ) async throws {
        guard let digest else {
            return find("\(info.key): no row tells of revision \(info.number)")
        }
        let revision = try await keeping.revision(info.number, of: info.key)
        guard let revision, Hexadecimal.sha256(revision.bytes) == digest, info.digest == digest
        else {
            return find("\(info.key): revision \(info.number) isn't what was put")
        }
    }
}
