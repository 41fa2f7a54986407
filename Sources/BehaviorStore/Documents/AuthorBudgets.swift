import Locking

/// The bytes that each author has stored within a day.
///
/// A store keeps all revisions and audit rows, so an author with a token could fill the disk. The
/// counts are this process's own.
final class AuthorBudgets: Sendable {
    /// The seconds after which an author's count begins again.
    private static let window = 86_400
    /// The number of authors above which ended windows are removed.
    private static let maximumCount = 10_000

    private struct Use {
        var bytes = 0
        let end: Int
    }

    private let uses = Locked<[String: Use]>([:])

    /// Checks that an author may store so many more bytes.
    ///
    /// - Throws: ``BehaviorStoreError/quota(_:)`` with the time of the next window.
    func check(
        _ size: Int,
        of author: Author,
        limit: Int,
        at now: Int
    ) throws(BehaviorStoreError) {
        let use = uses.withLock { $0[author.id] }
        guard let use, use.end > now, use.bytes + size > limit else { return }
        throw .quota(
            "the author stored \(use.bytes) bytes within a day, and the limit is \(limit): retry in "
                + "\(use.end - now) s"
        )
    }

    /// Counts the bytes of a stored change.
    func count(_ size: Int, of author: Author, at now: Int) {
        uses.withLock { uses in
            if uses.count >= Self.maximumCount { uses = uses.filter { $0.value.end > now } }
            var use = uses[author.id] ?? Use(end: now + Self.window)
            if use.end <= now { use = Use(end: now + Self.window) }
            use.bytes += size
            uses[author.id] = use
        }
    }
}

extension BehaviorChange {
    /// The bytes of the revisions, the audit rows and the records.
    var size: Int {
        revisions.reduce(0) { $0 + $1.bytes.count } + audit.reduce(0) { $0 + $1.size }
            + records.reduce(0) { $0 + ($1.value?.utf8.count ?? 0) }
    }
}
