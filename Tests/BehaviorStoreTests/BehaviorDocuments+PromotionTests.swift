import Testing

@testable import BehaviorStore

@Suite("Promotions, in every kind of store")
struct BehaviorDocumentsPromotionTests {
    private func conflict(_ error: BehaviorStoreError?) -> Bool {
        if case .conflict = error { true } else { false }
    }

    @Test(
        "a promotion copies the bytes and follows the target environment's rules",
        arguments: StoreKind.allCases
    )
    func promotions(kind: StoreKind) async throws {
        let desk = try Desk(kind)
        let staging = desk.staging
        let put = try await desk.documents.put(Desk.text("new"), as: staging, by: Desk.ada)
        let promoted = try await desk.documents.promote(of: staging, to: "production", by: Desk.bob)
        #expect(promoted.isLive)
        #expect(promoted.info.key == desk.key)
        #expect(promoted.info.digest == put.info.digest)
        #expect(promoted.info.message == "From staging, revision 1")
        #expect(desk.served == String(decoding: Desk.text("new"), as: UTF8.self))
        try await desk.documents.set(EnvironmentRules(approvals: 1), of: "production", by: Desk.bob)
        let draft = try await desk.documents.promote(
            1,
            of: staging,
            to: "production",
            message: "Again",
            by: Desk.ada
        )
        #expect(draft.info.number == 2)
        #expect(draft.live == 1)
        let same = await desk.error {
            try await desk.documents.promote(of: staging, to: "staging", by: Desk.ada)
        }
        #expect(conflict(same))
        let none = await desk.error {
            try await desk.documents.promote(of: staging, to: "No", by: Desk.ada)
        }
        #expect(none == .noName("No"))
    }
}
