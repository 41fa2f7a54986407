import Locking
import Synchronization

/// A document's live revision: a pointer that the document's store moves.
package final class LiveBehavior: Sendable {
    private let pointer: Locked<BehaviorRevision?>
    private let counter = Atomic<Int>(0)
    private let problems = Atomic<Int>(0)

    package init(_ revision: BehaviorRevision?) {
        pointer = Locked(revision)
    }

    /// Increases with each new revision: a caller that has seen this number has seen the revision.
    package var version: Int { counter.load(ordering: .acquiring) }

    /// The live revision; nil if none can be served, now or any more.
    package var revision: BehaviorRevision? { pointer.withLock { $0 } }

    /// Makes a revision live, or none; the next response uses it.
    package func move(to revision: BehaviorRevision?) {
        pointer.withLock { $0 = revision }
        counter.add(1, ordering: .releasing)
    }

    /// The number of rules and operations that couldn't be evaluated, over all revisions.
    package var problemCount: Int { problems.load(ordering: .relaxed) }

    /// Counts rules and operations that couldn't be evaluated.
    package func count(problems count: Int) { problems.add(count, ordering: .relaxed) }
}
