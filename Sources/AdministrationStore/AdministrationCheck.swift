import Digests

/// The verification of the administration's audit: its rows are complete, unchanged and in order,
/// and the stored tokens and plugs match them.
package struct AdministrationCheck: Sendable {
    /// The most findings in a report.
    private static let maximumCount = 100

    /// The problems found, a sentence each; empty if there is none.
    package private(set) var findings: [String] = []
    /// The number of rows.
    package private(set) var count = 0
    /// The last row's hash.
    package private(set) var hash = ChainHash.start
    /// Whether a row has the expected hash; true if none is expected.
    package private(set) var hasExpected: Bool
    private let expected: String?
    /// The states that result from the rows.
    private var states: [Key: String] = [:]
    /// The things that a row removed, and that no later row made again.
    private var removed: Set<Key> = []

    private struct Key: Hashable {
        let subject: AdministrationChange.Subject
        let name: String
    }

    /// Starts a check; `hash` is the hash of a row that is known to have been written.
    package init(expecting hash: String? = nil) {
        expected = hash
        hasExpected = hash == nil
    }

    /// Creates the report of audit rows that can't be read.
    package init(unreadable findings: [String]) {
        expected = nil
        hasExpected = false
        findings.forEach { find($0) }
    }

    /// Adds a problem.
    package mutating func find(_ text: String) {
        if findings.count < Self.maximumCount { findings.append("administration: \(text)") }
    }

    /// Takes the next row.
    package mutating func take(_ row: AdministrationRow) {
        if row.hash == expected { hasExpected = true }
        let place = row.sequence
        if place != count &+ 1 {
            find("row \(place) follows row \(count): rows are missing or were inserted")
        }
        if row.hash != row.computedHash {
            find("row \(place) was edited: its hash doesn't match its content")
        } else if row.previous != hash {
            find("row \(place) doesn't follow the row before it, which was replaced")
        }
        (count, hash) = (place, row.hash)
        guard let change = AdministrationChange(rawValue: row.change) else {
            return find("row \(place): the kind of change is unknown")
        }
        guard let subject = change.subject else { return }
        let key = Key(subject: subject, name: row.name)
        if states[key] != row.before {
            find("row \(place): \(subject.rawValue) \(row.name) had another state before")
        }
        states[key] = row.after
        if row.after == nil { removed.insert(key) } else { removed.remove(key) }
    }

    /// Compares the things of a kind that are stored as removed with the rows.
    ///
    /// The store has the last `limit` of them, so fewer are a finding.
    package mutating func compare(
        _ subject: AdministrationChange.Subject,
        removed names: [String],
        limit: Int
    ) {
        var missing = Set(removed.filter { $0.subject == subject }.map(\.name))
        let expected = min(missing.count, limit)
        var count = 0
        for name in names {
            if missing.remove(name) != nil {
                count += 1
            } else {
                find("\(subject.rawValue) \(name) is marked as removed, but no row removed it")
            }
        }
        guard count < expected else { return }
        // Beyond the limit the oldest may be missing, and the rows don't tell which.
        guard count + missing.count <= limit else {
            return find("\(expected - count) removed \(subject.rawValue)s are missing")
        }
        for name in missing.sorted() {
            find("\(subject.rawValue) \(name) is missing, and no mark shows its removal")
        }
    }

    /// Compares the stored things of a kind with the rows.
    package mutating func compare(
        _ subject: AdministrationChange.Subject,
        with stored: [(name: String, state: String)]
    ) {
        var missing = Set(states.keys.filter { $0.subject == subject })
        for (name, state) in stored {
            let key = Key(subject: subject, name: name)
            missing.remove(key)
            guard let known = states[key] else {
                find("no row created \(subject.rawValue) \(name)")
                continue
            }
            if known != state { find("\(subject.rawValue) \(name) differs from the rows") }
        }
        for key in missing.map(\.name).sorted() {
            find("\(subject.rawValue) \(key) is missing: no row removed it")
        }
    }
}
