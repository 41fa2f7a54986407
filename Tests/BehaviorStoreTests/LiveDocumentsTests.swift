import BehaviorStore
import Testing

@Suite("Live documents")
struct LiveDocumentsTests {
    @Test("bytes that don't match their digest aren't served", arguments: StoreKind.databases)
    func bytes(kind: StoreKind) async throws {
        let desk = try Desk(kind)
        try await desk.put("one")
        _ = try await desk.documents.put(
            Desk.text("other"),
            as: try #require(DocumentKey("other")),
            by: Desk.ada
        )
        let edited = "[{\"name\": \"oops\",\n \"actions\": []}]\n"
        let bytes =
            kind == .sqlite ? "CAST('\(edited)' AS BLOB)" : "convert_to('\(edited)', 'UTF8')"
        try await desk.store.tamper(
            "UPDATE plugboard_revision SET bytes = \(bytes) WHERE name = 'default'"
        )
        let live = LiveBehaviors()
        try BehaviorDocuments(desk.store.other(), as: live, logger: KeptStore.quiet).begin()
        #expect(live["default"] != nil && live["default"]?.revision == nil)
        #expect(live["other"]?.revision?.bytes == Desk.text("other"))
    }
}
