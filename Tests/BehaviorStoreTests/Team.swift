import BehaviorStore
import Testing

/// People that make documents, and people that approve them.
struct Team {
    static let carol = Author(id: "3", name: "carol")
    static let dan = Author(id: "4", name: "dan")
    static let eve = Author(id: "5", name: "eve")

    /// A desk where production asks for an approval, and no other environment does.
    func desk(_ kind: StoreKind) async throws -> (desk: Desk, dev: DocumentKey) {
        let desk = try Desk(kind)
        try await desk.documents.set(EnvironmentRules(approvals: 1), of: "production", by: Self.eve)
        return (desk, try #require(DocumentKey("default", in: "dev")))
    }

    /// Returns the people whose approval is rejected; all others have approved the draft then.
    func barred(_ number: Int, _ desk: Desk) async throws -> [String] {
        var barred: [String] = []
        for author in [Desk.ada, Desk.bob, Self.carol, Self.dan] {
            let error = await desk.error {
                try await desk.documents.approve(number, of: desk.key, by: author).info.number
            }
            if case .forbidden = error { barred.append(author.name) } else { #expect(error == nil) }
        }
        #expect(try await desk.findings() == [])
        return barred
    }

    func patch(
        _ key: DocumentKey,
        _ desk: Desk,
        revision: Int? = nil,
        isDraft: Bool = false,
        by author: Author
    ) async throws {
        let patch = #"[{"op": "add", "path": "/0/by-\#(author.name)", "value": true}]"#
        _ = try await desk.documents.patch(
            key,
            with: Array(patch.utf8),
            as: .operations,
            revision: revision,
            isDraft: isDraft,
            by: author
        )
    }

    func promote(
        _ source: DocumentKey,
        _ desk: Desk,
        to environment: String = "production",
        by author: Author
    ) async throws -> Int {
        try await desk.documents.promote(of: source, to: environment, by: author)
            .info.number
    }
}
