/// What is kept beside the rows of the audit and the revisions, as it was at one moment: rows and
/// revisions never change, so with them it is all.
struct KeptSnapshot: Sendable {
    /// The last row at that moment.
    var head: AuditHead
    /// The documents.
    var documents: [DocumentState] = []
    /// The records of all kinds.
    var records: [StoredRecord] = []

    /// Reads it; where others change something meanwhile, again.
    ///
    /// - Throws: ``BehaviorStoreError/busy`` where they never stop.
    init(_ keeping: any BehaviorKeeping) async throws {
        head = try await keeping.head()
        for _ in 0..<BehaviorDocuments.attempts {
            documents = try await keeping.documents()
            records = []
            for kind in RecordKind.allCases {
                records += try await keeping.records(kind, environment: nil, name: nil)
            }
            let after = try await keeping.head()
            if after == head { return }
            head = after
        }
        throw BehaviorStoreError.busy
    }
}
