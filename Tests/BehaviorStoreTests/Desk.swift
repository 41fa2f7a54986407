import Locking
import Testing

@testable import BehaviorStore

/// Documents of a store with a clock that the test sets.
struct Desk {
    static let ada = Author(id: "1", name: "ada", address: "127.0.0.1")
    static let bob = Author(id: "2", name: "bob", address: "::1")

    let store: KeptStore
    let documents: BehaviorDocuments
    let live = LiveBehaviors()
    /// The default document of production, and that of staging.
    let key: DocumentKey
    let staging: DocumentKey

    init(_ kind: StoreKind, now: @escaping @Sendable () -> Int = { 1_000_000 }) throws {
        store = try KeptStore(kind)
        documents = BehaviorDocuments(
            try store.backend(),
            as: live,
            logger: KeptStore.quiet,
            now: now
        )
        key = try #require(DocumentKey("default"))
        staging = try #require(DocumentKey("default", in: "staging"))
    }

    /// The same store's documents, with something that happens around the looks into it.
    func documents(
        with hooks: HookedBehaviors.Hooks,
        as live: LiveBehaviors = LiveBehaviors(),
        now: @escaping @Sendable () -> Int = { 1_000_000 }
    ) throws -> BehaviorDocuments {
        BehaviorDocuments(
            HookedBehaviors(try store.backend(), hooks),
            as: live,
            logger: KeptStore.quiet,
            now: now
        )
    }

    /// The same store's documents as another process has them.
    func elsewhere() throws -> BehaviorDocuments {
        BehaviorDocuments(try store.other(), logger: KeptStore.quiet)
    }

    /// Returns a document that is identified by a word.
    static func text(_ word: String) -> [UInt8] {
        Array("[{\"name\": \"\(word)\",\n \"actions\": []}]\n".utf8)
    }

    @discardableResult
    func put(_ word: String, isDraft: Bool = false) async throws -> Publication {
        try await documents.put(Self.text(word), as: key, isDraft: isDraft, by: Self.ada)
    }

    /// Returns the findings of the audit check.
    func findings() async throws -> [String] {
        try await AuditCheck(store.backend()).findings
    }

    /// Returns the findings after an SQL statement has edited the store.
    func findings(after sql: String) async throws -> [String] {
        try await store.tamper(sql)
        return try await findings()
    }

    /// The store's archive; its files are gone with the desk.
    func exported() async throws -> [UInt8] {
        var text: [UInt8] = []
        for try await piece in try await documents.export() { text += piece }
        return withExtendedLifetime(store) { text }
    }

    /// The served document.
    var served: String? {
        live["default"]?.revision.map {
            String(decoding: $0.bytes, as: UTF8.self)
        }
    }

    func error(_ body: () async throws -> some Sendable) async -> BehaviorStoreError? {
        do {
            _ = try await body()
            return nil
        } catch let error as BehaviorStoreError {
            return error
        } catch {
            Issue.record(error)
            return nil
        }
    }
}

extension Desk {
    /// Four revisions by two, published, a draft first, and rolled back.
    static func revised(_ kind: StoreKind) async throws -> Desk {
        let desk = try Desk(kind)
        try await desk.put("one")
        try await desk.put("two", isDraft: true)
        _ = try await desk.documents.publish(2, of: desk.key, by: bob)
        _ = try await desk.documents.rollback(to: 1, of: desk.key, by: bob)
        try await desk.put("four")
        return desk
    }

    /// Rules, a draft, its approval and a schedule, each of which has a row.
    static func released(_ kind: StoreKind) async throws -> Desk {
        let desk = try Desk(kind)
        try await desk.put("one")
        try await desk.documents.set(EnvironmentRules(approvals: 1), of: "production", by: bob)
        try await desk.put("two", isDraft: true)
        _ = try await desk.documents.approve(2, of: desk.key, by: bob)
        _ = try await desk.documents.schedule(2, of: desk.key, at: 2_000_000, by: ada)
        return desk
    }
}

extension Desk {
    /// A desk whose documents know the authors whose permissions have ended.
    static func ending(
        _ kind: StoreKind,
        _ ended: Locked<Set<String>>,
        unknown: Set<String> = [],
        now: @escaping @Sendable () -> Int = { 1_000_000 }
    ) async throws -> (desk: Desk, documents: BehaviorDocuments) {
        let desk = try Desk(kind)
        let standing = AuthorStanding { author, _, _ in
            if unknown.contains(author) { return .unknown("no token \(author) here") }
            return ended.withLock { $0.contains(author) } ? .ended("its token was revoked") : .valid
        }
        let documents = BehaviorDocuments(
            try desk.store.backend(),
            as: desk.live,
            standing: standing,
            logger: KeptStore.quiet,
            now: now
        )
        return (desk, documents)
    }
}
