import Locking
import Synchronization

/// What is live of each document that a server serves, by the documents' names.
///
/// Whoever keeps documents adds them; `default` is served at `/behaviors.json`.
package final class LiveBehaviors: Sendable {
    /// The document that is served at `/behaviors.json`.
    package static let defaultName = DocumentKey.defaultName

    private let documents = Locked<[String: LiveBehavior]>([:])
    private let counter = Atomic<Int>(0)

    package init() {}

    /// Moves on as documents come and go, not as one gets another revision.
    package var version: Int { counter.load(ordering: .acquiring) }

    /// All documents, in the order of their names' bytes.
    package var all: [(name: String, live: LiveBehavior)] {
        documents.withLock { $0 }.map { (name: $0.key, live: $0.value) }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// What is live of the document of that name; nil where there is none.
    package subscript(name: String) -> LiveBehavior? {
        get { documents.withLock { $0[name] } }
        set {
            documents.withLock { $0[name] = newValue }
            counter.add(1, ordering: .releasing)
        }
    }
}
