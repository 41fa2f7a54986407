import Locking
import Testing

@testable import BehaviorStore

@Suite("Limits of an environment's documents and drafts")
struct DocumentQuotasTests {
    private func documents(_ kind: StoreKind) throws -> (KeptStore, BehaviorDocuments) {
        var quotas = DocumentQuotas()
        quotas.documents = 2
        quotas.drafts = 2
        let store = try KeptStore(kind)
        return (
            store, BehaviorDocuments(try store.backend(), quotas: quotas, logger: KeptStore.quiet)
        )
    }

    private func error(_ body: () async throws -> Void) async -> BehaviorStoreError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? BehaviorStoreError
        }
    }

    @Test(
        "a third document is rejected with the limit, which is separate for each environment",
        arguments: StoreKind.allCases
    )
    func documentCount(kind: StoreKind) async throws {
        let (store, documents) = try documents(kind)
        func put(_ name: String, in environment: String = "production") async throws {
            let key = try #require(DocumentKey(name, in: environment))
            _ = try await documents.put(Desk.text(name), as: key, by: Desk.ada)
        }
        try await put("a")
        try await put("b")
        try await put("b")
        let rejected = await error { try await put("c") }
        guard case .quota(let reason)? = rejected else {
            Issue.record("\(String(describing: rejected))")
            return
        }
        #expect(reason.contains("production has 2 documents"))
        try await put("c", in: "staging")
        _ = store
    }

    @Test(
        "an author's bytes per day have a limit, including drafts and roll-backs",
        arguments: StoreKind.allCases
    )
    func bytes(kind: StoreKind) async throws {
        var quotas = DocumentQuotas()
        quotas.bytes = 9_000
        let store = try KeptStore(kind)
        let clock = Locked(1_700_000_000)
        let documents = BehaviorDocuments(
            try store.backend(),
            quotas: quotas,
            logger: KeptStore.quiet,
            now: { clock.withLock { $0 } }
        )
        let key = try #require(DocumentKey("default"))
        func put(_ number: Int, by author: Author, isDraft: Bool = false) async throws {
            let value = "\(number)" + String(repeating: "a", count: 3_000)
            let text = #"[{"name": "A", "actions": [{"func": "a", "value": "\#(value)"}]}]"#
            _ = try await documents.put(Array(text.utf8), as: key, isDraft: isDraft, by: author)
        }
        try await put(1, by: Desk.ada)
        try await put(2, by: Desk.ada, isDraft: true)
        guard case .quota(let reason)? = await error({ try await put(3, by: Desk.ada) }) else {
            Issue.record("it is stored")
            return
        }
        #expect(reason.contains("the limit is 9000: retry in 86400 s"))
        try await put(3, by: Author(id: "2", name: "bob"))
        clock.withLock { $0 += 86_400 }
        try await put(4, by: Desk.ada)
        #expect(try await documents.backend.document(key)?.latest == 4)
    }

    @Test(
        "a third open draft is rejected; publishing the newest closes the older ones",
        arguments: StoreKind.allCases
    )
    func draftCount(kind: StoreKind) async throws {
        let (store, documents) = try documents(kind)
        let key = try #require(DocumentKey("default"))
        func draft(_ text: String) async throws {
            _ = try await documents.put(Desk.text(text), as: key, isDraft: true, by: Desk.ada)
        }
        try await draft("one")
        try await draft("two")
        let rejected = await error { try await draft("three") }
        guard case .quota(let reason)? = rejected else {
            Issue.record("\(String(describing: rejected))")
            return
        }
        #expect(reason.contains("production has 2 open drafts"))
        _ = try await documents.publish(2, of: key, by: Desk.ada)
        try await draft("three")
        try await draft("four")
        let full = await error { try await draft("five") }
        #expect(full == rejected)
        _ = store
    }
}
