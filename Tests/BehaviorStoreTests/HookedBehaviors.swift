import BehaviorStore

/// A store in which something happens each time before a revision is read.
final class HookedBehaviors: BehaviorKeeping {
    private let kept: any BehaviorKeeping
    private let hook: @Sendable (DocumentKey) async throws -> Void

    init(
        _ kept: any BehaviorKeeping,
        beforeReading hook: @escaping @Sendable (DocumentKey) async throws -> Void
    ) {
        self.kept = kept
        self.hook = hook
    }

    func head() async throws -> AuditHead { try await kept.head() }

    func documents() async throws -> [DocumentState] { try await kept.documents() }

    func document(_ key: DocumentKey) async throws -> DocumentState? {
        try await kept.document(key)
    }

    func revision(_ number: Int, of key: DocumentKey) async throws -> StoredRevision? {
        try await hook(key)
        return try await kept.revision(number, of: key)
    }

    func revisions(
        of key: DocumentKey,
        before: Int?,
        limit: Int
    ) async throws -> [RevisionInfo] {
        try await kept.revisions(of: key, before: before, limit: limit)
    }

    func records(
        _ kind: RecordKind,
        environment: String?,
        name: String?
    ) async throws -> [StoredRecord] {
        try await kept.records(kind, environment: environment, name: name)
    }

    func audit(after: Int, limit: Int) async throws -> [AuditRow] {
        try await kept.audit(after: after, limit: limit)
    }

    func audit(before: Int?, limit: Int) async throws -> [AuditRow] {
        try await kept.audit(before: before, limit: limit)
    }

    func liveNow(in environment: String) throws -> [LiveRevision] {
        try kept.liveNow(in: environment)
    }

    func commit(_ change: BehaviorChange) async throws -> Bool { try await kept.commit(change) }

    func watch(_ changed: @escaping @Sendable () async -> Void) async { await kept.watch(changed) }
}
