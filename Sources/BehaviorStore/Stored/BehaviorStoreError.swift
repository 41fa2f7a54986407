package import Behaviors
package import JSONCodec
package import JSONPatch

/// The reasons why an operation on a document fails.
package enum BehaviorStoreError: Error, Equatable, Sendable {
    /// The name of a document or an environment is invalid.
    case noName(String)
    /// The environment doesn't exist; the names of those that do, and whether the operation can
    /// create it.
    case noEnvironment(String, among: [String], canCreate: Bool)
    /// The document doesn't exist in that environment.
    case noDocument(DocumentKey)
    /// The revision doesn't exist.
    case noRevision(Int, DocumentKey)
    /// The document has drafts but no live revision.
    case nothingLive(DocumentKey)
    /// The document's revision differs from the one the caller expects; `live` is the live one.
    case changedSince(live: Int?)
    /// The text is not JSON; the parser's error.
    case noJSON(BehaviorError)
    /// The document is invalid; all its problems.
    case invalid([JSONTypeError])
    /// The patch is invalid or can't be applied.
    case patch(PatchError)
    /// The document's state doesn't allow the operation; a sentence.
    case conflict(String)
    /// The overrides can't be applied to the document: whose they are, in words, and why.
    case unfitting(String, PatchError)
    /// The caller may not do that; a sentence.
    case forbidden(String)
    /// A limit of one text is exceeded; a sentence.
    case tooMuch(String)
    /// An environment has its most documents or drafts; a sentence with the limit.
    case quota(String)
    /// Too many concurrent changes: all retries failed.
    case busy
    /// The store is unavailable; the reason. The live revisions stay live.
    case unavailable(String)
}

extension BehaviorStoreError {
    /// Whether a retry may succeed a little later.
    var isPassing: Bool {
        switch self {
        case .busy, .unavailable: true
        default: false
        }
    }
}

extension BehaviorStoreError: CustomStringConvertible {
    /// The message for the log and the terminal.
    package var description: String {
        switch self {
        case .noName(let name): "\(name) is not a valid name"
        case .noEnvironment(let name, let names, let canCreate):
            Self.missing(name, among: names) + (canCreate ? Self.creation : "")
        case .noDocument(let key): "there is no document \(key)"
        case .noRevision(let number, let key): "there is no revision \(number) of \(key)"
        case .nothingLive(let key): "no revision of \(key) is live"
        case .changedSince: "the document is not at the expected revision"
        case .noJSON(let reason): "the document is not JSON: \(reason)"
        case .invalid(let problems):
            problems.map { "\($0.pointer): \($0.message)" }.joined(separator: "; ")
        case .patch(let error): error.description
        case .unfitting(let whose, let error): "\(whose) can't be applied: \(error)"
        case .conflict(let reason), .forbidden(let reason), .tooMuch(let reason),
            .quota(let reason):
            reason
        case .busy: "too many concurrent changes; try again"
        case .unavailable(let reason): "the behavior documents can't be reached: \(reason)"
        }
    }
}

extension BehaviorStoreError {
    /// The most environments in a message.
    private static let maximumCount = 10
    private static let creation = " To create it, add --create (create=true)"

    /// Returns the sentence of a missing environment, with the nearest name or the first ones.
    private static func missing(_ name: String, among names: [String]) -> String {
        let start = "there is no environment \(name)"
        if let nearest = nearestName(to: name, among: names) {
            return "\(start): did you mean \(nearest)?"
        }
        let shown = names.prefix(maximumCount).joined(separator: ", ")
        return "\(start): use one of \(shown)\(names.count > maximumCount ? ", …" : "")."
    }
}
