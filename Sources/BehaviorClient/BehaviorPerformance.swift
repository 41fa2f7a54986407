public import Behaviors

/// The result of performing a document in an app.
public struct BehaviorPerformance: Sendable {
    /// The origin of the document.
    public var source: DocumentSource
    /// The revision: a digest of the document's bytes.
    public var revision: String
    /// The calls, the skips and the failures.
    public var report: BehaviorReport
    /// The decisions of the crash guard that no fetch has reported yet.
    public var guardReports: [GuardReport]
    /// Errors that the client worked around, such as an unusable storage.
    public var problems: [String]
}

/// The result of a fetch.
public enum BehaviorRefresh: Sendable {
    /// The stored document is the newest.
    case unchanged
    /// A newer document is stored for the next start.
    case stored(revision: String)
    /// A newer document is stored and performed.
    case performed(BehaviorPerformance)
}

/// An event of a ``BehaviorClient``.
public enum BehaviorEvent: Sendable {
    /// A document was performed.
    case performed(BehaviorPerformance)
    /// A newer document was stored.
    case stored(revision: String)
    /// A fetch failed; the stored document stays.
    case fetchFailed(any Error)
}
