import Locking

/// The last audit row whose change is served, and whether the store was emptied since.
final class KnownHead: Sendable {
    private let backend: any BehaviorBackend
    private let head = Locked(AuditHead.none)
    private let isEmptied = Locked(false)

    private static let emptied = "the store was emptied"

    init(_ backend: any BehaviorBackend) { self.backend = backend }

    /// The last audit row whose change is served.
    var current: AuditHead { head.withLock { $0 } }

    /// The reason why the store is unavailable or was emptied; nil if it is healthy.
    var loss: String? { isEmptied.withLock { $0 } ? Self.emptied : backend.loss }

    /// Reads the store's last audit row.
    ///
    /// - Throws: also if the store was emptied or unmounted. To accept an emptied store, restart
    ///   the server.
    @discardableResult
    func readLast() async throws -> AuditHead {
        // Read before the head: afterwards it may include a concurrent change.
        let wasKnown = current != .none
        let last = try await backend.head()
        let isEmptied = last == .none && wasKnown
        self.isEmptied.withLock { $0 = isEmptied }
        guard !isEmptied else { throw BehaviorStoreError.unavailable(Self.emptied) }
        return last
    }

    /// Forgets the head: another history has replaced the served one.
    func reset() { head.withLock { $0 = .none } }

    /// Moves forward to a later head if the condition holds.
    func advance(to later: AuditHead, if isCurrent: () -> Bool) {
        head.withLock { head in
            if isCurrent(), head.sequence < later.sequence { head = later }
        }
    }

    /// Moves over a change of this process.
    ///
    /// After changes of other processes the head stays, so that the next check reads them.
    func advance(from base: AuditHead, to later: AuditHead) {
        head.withLock { if $0 == base { $0 = later } }
    }
}
