import GRDB
import Synchronization

/// The number of a connection's commits, those of a write's own statements included.
final class CommitObserver: TransactionObserver, Sendable {
    private let commits = Atomic<Int>(0)

    var count: Int { commits.load(ordering: .relaxed) }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ database: Database) { commits.add(1, ordering: .relaxed) }
    func databaseDidRollback(_ database: Database) {}
}
