package import JSONCodec

/// Why something isn't done with a document.
package enum BehaviorStoreError: Error, Equatable, Sendable {
    /// Not a name of a document or an environment.
    case noName(String)
    /// No such document in that environment.
    case noDocument(DocumentKey)
    /// No such revision.
    case noRevision(Int, DocumentKey)
    /// The document is another than whoever changes it expects; `live` is what is live.
    case changedSince(live: Int?)
    /// Not JSON, in the parser's words.
    case noJSON(String)
    /// No valid document: all that is wrong with it.
    case invalid([JSONTypeError])
    /// What can't be done in that state, in a sentence.
    case conflict(String)
    /// Whoever asks isn't who may do that, in a sentence.
    case forbidden(String)
    /// Beyond what is taken, in a sentence.
    case tooMuch(String)
    /// Others change so much at the same time that this couldn't be done.
    case busy
    /// What keeps the documents can't be reached now, and why: what is live stays live.
    case unavailable(String)
}

/// Upon which state of a document a change is to be made.
package enum ExpectedRevision: Sendable, Equatable {
    /// Whatever it is (no condition).
    case any
    /// Something is live (`If-Match: *`).
    case something
    /// Nothing is live (`If-None-Match: *`).
    case nothing
    /// One of those revisions is live (`If-Match: "3"`).
    case oneOf([Int])

    /// Whether what is live is what is expected.
    package func isMet(by live: Int?) -> Bool {
        switch self {
        case .any: true
        case .something: live != nil
        case .nothing: live == nil
        case .oneOf(let numbers): live.map(numbers.contains) ?? false
        }
    }
}
