/// The live revision that a change expects.
package indirect enum ExpectedRevision: Sendable, Equatable {
    /// Any state (no condition).
    case any
    /// Any revision is live (`If-Match: *`).
    case something
    /// No revision is live (`If-None-Match: *`).
    case nothing
    /// One of those revisions is live (`If-Match: "3"`).
    case oneOf([Int])
    /// None of those revisions is live (`If-None-Match: "3"`).
    case noneOf([Int])
    /// Both conditions hold.
    case both(ExpectedRevision, ExpectedRevision)

    /// Whether the live revision meets the expectation.
    package func isMet(by live: Int?) -> Bool {
        switch self {
        case .any: true
        case .something: live != nil
        case .nothing: live == nil
        case .oneOf(let numbers): live.map(numbers.contains) ?? false
        case .noneOf(let numbers): live.map { !numbers.contains($0) } ?? true
        case .both(let one, let other): one.isMet(by: live) && other.isMet(by: live)
        }
    }
}
