import Testing

@testable import BehaviorStore

@Suite("The limits of an environment's documents and drafts")
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
        "a third document is rejected with the limit; another environment has its own",
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
