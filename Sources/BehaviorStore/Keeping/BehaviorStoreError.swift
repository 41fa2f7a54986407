package import Behaviors
package import JSONCodec
package import JSONPatch

/// Why something isn't done with a document.
package enum BehaviorStoreError: Error, Equatable, Sendable {
    /// Not a name of a document or an environment.
    case noName(String)
    /// No such document in that environment.
    case noDocument(DocumentKey)
    /// No such revision.
    case noRevision(Int, DocumentKey)
    /// Nothing of a document is live: it has drafts alone.
    case nothingLive(DocumentKey)
    /// The document is another than whoever changes it expects; `live` is what is live.
    case changedSince(live: Int?)
    /// Not JSON, in the parser's words.
    case noJSON(BehaviorError)
    /// No valid document: all that is wrong with it.
    case invalid([JSONTypeError])
    /// A patch that is none, or that can't be applied.
    case patch(PatchError)
    /// What can't be done in that state, in a sentence.
    case conflict(String)
    /// Overrides that can't be laid over a document: whose, in words, and why.
    case unfitting(String, PatchError)
    /// Whoever asks isn't who may do that, in a sentence.
    case forbidden(String)
    /// Beyond what is taken, in a sentence.
    case tooMuch(String)
    /// Others change so much at the same time that this couldn't be done.
    case busy
    /// What keeps the documents can't be reached now, and why: what is live stays live.
    case unavailable(String)
}

extension BehaviorStoreError {
    /// Whether the same may work a little later.
    var isPassing: Bool {
        switch self {
        case .busy, .unavailable: true
        default: false
        }
    }
}

extension BehaviorStoreError: CustomStringConvertible {
    /// The error for people: for the log, and for who starts a server.
    package var description: String {
        switch self {
        case .noName(let name): "\(name) is no name"
        case .noDocument(let key): "there is no document \(key)"
        case .noRevision(let number, let key): "there is no revision \(number) of \(key)"
        case .nothingLive(let key): "nothing of \(key) is live"
        case .changedSince: "the document isn't as expected"
        case .noJSON(let reason): "the document is no JSON: \(reason)"
        case .invalid(let problems):
            problems.map { "\($0.pointer): \($0.message)" }.joined(separator: "; ")
        case .patch(let error): error.description
        case .unfitting(let whose, let error): "\(whose) don't fit: \(error)"
        case .conflict(let reason), .forbidden(let reason), .tooMuch(let reason): reason
        case .busy: "others change too much at the same time"
        case .unavailable(let reason): "the behavior documents can't be reached: \(reason)"
        }
    }
}
