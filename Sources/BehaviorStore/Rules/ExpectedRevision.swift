/// Upon which state of a document a change is to be made.
package indirect enum ExpectedRevision: Sendable, Equatable {
    /// Whatever it is (no condition).
    case any
    /// Something is live (`If-Match: *`).
    case something
    /// Nothing is live (`If-None-Match: *`).
    case nothing
    /// One of those revisions is live (`If-Match: "3"`).
    case oneOf([Int])
    /// None of those revisions is live (`If-None-Match: "3"`).
    case noneOf([Int])
    /// The one and the other.
    case both(ExpectedRevision, ExpectedRevision)

    /// Whether what is live is what is expected.
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
