/// A store's documents and records at one moment.
///
/// Audit rows and revisions are immutable, so that the snapshot and the head describe the whole
/// store.
struct StoreSnapshot: Sendable {
    /// The last audit row at that moment.
    var head: AuditHead
    /// The documents.
    var documents: [DocumentState] = []
    /// The records of all kinds.
    var records: [StoredRecord] = []

    /// Reads a snapshot, again after each concurrent change.
    ///
    /// - Throws: ``BehaviorStoreError/busy`` if the changes don't stop.
    init(_ backend: any StoredBehaviors) async throws {
        head = try await backend.head()
        for _ in 0..<StoreLimits.attempts {
            documents = try await backend.documents()
            records = []
            for kind in RecordKind.allCases {
                records += try await backend.records(kind, environment: nil, name: nil)
            }
            let after = try await backend.head()
            if after == head { return }
            head = after
        }
        throw BehaviorStoreError.busy
    }
}
