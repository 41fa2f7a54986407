import Locking
import Synchronization

/// What is live of a document: a pointer to a revision, moved by whoever keeps the document.
package final class LiveBehavior: Sendable {
    private let pointer: Locked<BehaviorRevision?>
    private let counter = Atomic<Int>(0)
    private let problems = Atomic<Int>(0)

    package init(_ revision: BehaviorRevision?) {
        pointer = Locked(revision)
    }

    /// Moves on with each revision: who has seen this number has seen the live revision.
    package var version: Int { counter.load(ordering: .acquiring) }

    /// The live revision; nil where there is none that can be served, now or any more.
    package var revision: BehaviorRevision? { pointer.withLock { $0 } }

    /// Makes a revision live, or none: the next request is answered with it.
    package func move(to revision: BehaviorRevision?) {
        pointer.withLock { $0 = revision }
        counter.add(1, ordering: .releasing)
    }

    /// How many rules and operations couldn't be evaluated, of all revisions together.
    package var problemCount: Int { problems.load(ordering: .relaxed) }

    /// Counts rules and operations that couldn't be evaluated.
    package func count(problems count: Int) { problems.add(count, ordering: .relaxed) }
}
