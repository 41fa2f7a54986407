import Testing

@testable import BehaviorStore

@Suite("Audit rows")
struct AuditRowTests {
    private static func row(
        after head: AuditHead = .none,
        author: Author = Desk.ada,
        change: String = "publish",
        environment: String = "production",
        name: String = "default",
        from before: String? = nil,
        to after: String? = "{}"
    ) -> AuditRow {
        AuditRow(
            after: head,
            at: 1_000_000,
            author: author,
            change: change,
            environment: environment,
            name: name,
            from: before,
            to: after
        )
    }

    @Test("the hash is SHA-256 over each member, preceded by its length in eight bytes")
    func hash() {
        let row = Self.row()
        #expect(row.sequence == 1)
        #expect(row.previous == String(repeating: "0", count: 64))
        #expect(row.hash == "c52aefd9adce6e7b9b603985d6a4c9c4739fbe5924bffc261315bcba1f15f74a")
        #expect(row.hash == row.computedHash)
    }

    @Test("each row continues the previous one")
    func chain() {
        let first = Self.row()
        let second = Self.row(after: AuditHead(first))
        #expect(second.sequence == 2)
        #expect(second.previous == first.hash)
        #expect(second.hash != first.hash)
    }

    @Test("moved text, a missing member and an empty text change the hash")
    func members() {
        let rows = [
            Self.row(), Self.row(author: Author(id: "1a", name: "da", address: "127.0.0.1")),
            Self.row(change: "publishproduction", environment: ""),
            Self.row(environment: "productiondefault", name: ""), Self.row(from: "{}", to: nil),
            Self.row(from: "", to: "{}"), Self.row(to: nil), Self.row(to: ""),
        ]
        #expect(Set(rows.map(\.hash)).count == rows.count)
    }
}
