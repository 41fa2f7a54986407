import BehaviorStore

/// A store in which something happens around the looks into it.
final class HookedBehaviors: BehaviorBackend {
    /// The hooks that run with each call.
    struct Hooks: Sendable {
        var behindDocuments: @Sendable () async throws -> Void = {}
        var beforeRevision: @Sendable (DocumentKey) async throws -> Void = { _ in }
        /// Before a page of them: told is where it begins.
        var beforeRevisions: @Sendable (_ before: Int?) async throws -> Void = { _ in }
        var beforeRecords: @Sendable (RecordKind) async throws -> Void = { _ in }
        /// The documents with live revisions that can't be read at the start.
        var lost: Set<DocumentKey> = []
        /// The number of records of a kind; nil for the store's own.
        var recordCount: @Sendable (RecordKind) -> Int? = { _ in nil }
        var behindCommit: @Sendable () async throws -> Void = {}
        /// Whether another, empty store is in the store's place.
        var isEmptied: @Sendable () -> Bool = { false }
        /// Whether the store is in another process, which can be unavailable.
        var isRemote = false
        /// The reason why it is unavailable; nil if it is available.
        var loss: @Sendable () -> String? = { nil }
        /// Throws if this version can't use the store.
        var check: @Sendable () async throws -> Void = {}
    }

    private let kept: any BehaviorBackend
    private let hooks: Hooks

    init(_ kept: any BehaviorBackend, _ hooks: Hooks) {
        self.kept = kept
        self.hooks = hooks
    }

    var isRemote: Bool { hooks.isRemote }

    var loss: String? { hooks.loss() }

    private func checkLoss() throws {
        if let loss { throw BehaviorStoreError.unavailable(loss) }
    }

    func check() async throws {
        try checkLoss()
        try await hooks.check()
    }

    func head() async throws -> AuditHead {
        try checkLoss()
        return hooks.isEmptied() ? .none : try await kept.head()
    }

    func documents() async throws -> [DocumentState] {
        let documents = try await kept.documents()
        try await hooks.behindDocuments()
        return documents
    }

    func contradictions() async throws -> [String] { try await kept.contradictions() }

    func document(_ key: DocumentKey) async throws -> DocumentState? {
        try await kept.document(key)
    }

    func revision(_ number: Int, of key: DocumentKey) async throws -> StoredRevision? {
        try await hooks.beforeRevision(key)
        return try await kept.revision(number, of: key)
    }

    func revisions(
        of key: DocumentKey,
        before: Int?,
        limit: Int
    ) async throws -> [RevisionInfo] {
        try await hooks.beforeRevisions(before)
        return try await kept.revisions(of: key, before: before, limit: limit)
    }

    func records(
        _ kind: RecordKind,
        environment: String?,
        name: String?
    ) async throws -> [StoredRecord] {
        try await hooks.beforeRecords(kind)
        if hooks.isEmptied() { return [] }
        return try await kept.records(kind, environment: environment, name: name)
    }

    func recordCount(_ kind: RecordKind) async throws -> Int {
        try await hooks.beforeRecords(kind)
        if let count = hooks.recordCount(kind) { return count }
        return try await kept.recordCount(kind)
    }

    func audit(after: Int, limit: Int) async throws -> [AuditRow] {
        try await kept.audit(after: after, limit: limit)
    }

    func audit(before: Int?, limit: Int) async throws -> [AuditRow] {
        try await kept.audit(before: before, limit: limit)
    }

    func audit(
        of key: DocumentKey,
        before: Int?,
        limit: Int
    ) async throws -> [AuditRow] {
        try await kept.audit(of: key, before: before, limit: limit)
    }

    func liveNow(
        in environment: String
    ) throws -> [(state: DocumentState, revision: StoredRevision?)] {
        try checkLoss()
        return try kept.liveNow(in: environment).map { state, revision in
            (state, hooks.lost.contains(state.key) ? nil : revision)
        }
    }

    func commit(_ change: BehaviorChange) async throws -> Bool {
        let isKept = try await kept.commit(change)
        try await hooks.behindCommit()
        return isKept
    }

    func watch(_ changed: @escaping @Sendable () async -> Void) async { await kept.watch(changed) }
}
