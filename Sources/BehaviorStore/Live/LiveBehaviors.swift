import Locking
import Synchronization

/// The live revisions of all documents that a server serves, by the documents' names.
///
/// The stores add the documents; `default` is served at `/behaviors.json`.
package final class LiveBehaviors: Sendable {
    /// The document that is served at `/behaviors.json`.
    package static let defaultName = DocumentKey.defaultName

    private let documents = Locked<[String: LiveBehavior]>([:])
    private let counter = Atomic<Int>(0)
    private let withheld = Atomic<Bool>(false)

    package init() {}

    /// Increases when a document is added or removed, not when one gets another revision.
    package var version: Int { counter.load(ordering: .acquiring) }

    /// Whether there may be documents that can't be served yet.
    package var areWithheld: Bool { withheld.load(ordering: .acquiring) }

    func withhold(_ areWithheld: Bool) { withheld.store(areWithheld, ordering: .releasing) }

    /// All documents, sorted by the bytes of their names.
    package var all: [(name: String, live: LiveBehavior)] {
        documents.withLock { $0 }.map { (name: $0.key, live: $0.value) }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// The document of that name; nil if it doesn't exist.
    package subscript(name: String) -> LiveBehavior? {
        get { documents.withLock { $0[name] } }
        set {
            documents.withLock { $0[name] = newValue }
            counter.add(1, ordering: .releasing)
        }
    }
}
