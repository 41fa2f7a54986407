import Locking
import Synchronization

/// A document's live revision: a pointer that the document's store moves.
package final class LiveBehavior: Sendable {
    private let pointer: Locked<BehaviorRevision?>
    private let counter = Atomic<Int>(0)
    private let problems = Atomic<Int>(0)
    private let reports = Locked<[GuardReportKind: Int]>([:])

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

    /// The number of apps' reports by kind.
    package var reportCounts: [GuardReportKind: Int] { reports.withLock { $0 } }

    /// Counts a report of an app's crash guard.
    package func count(_ kind: GuardReportKind) { reports.withLock { $0[kind, default: 0] += 1 } }
}

/// The kinds of reports of apps' crash guards.
package enum GuardReportKind: String, Sendable, CaseIterable {
    /// A run of the app crashed.
    case crash
    /// A module no longer runs in a revision.
    case quarantine
    /// Another document replaces a revision.
    case fallback
    /// A field that is no such report.
    case invalid
}
