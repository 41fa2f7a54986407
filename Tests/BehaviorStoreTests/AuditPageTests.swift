import BehaviorStore
import Foundation
import JSONCodec
import Testing

/// A page of the audit is bounded by its rows' number and by their size.
@Suite("Pages of the audit")
struct AuditPageTests {
    /// A folder that is there as long as the test.
    private let store: KeptStore

    init() throws { store = try KeptStore(.directory) }

    /// A store whose rows have some 500 KiB each, but for the first and the last one.
    private func large(_ kind: StoreKind) async throws -> Desk {
        let desk = try Desk(kind)
        try await desk.put("one")
        for number in 1...7 {
            let value = JSON.string(String(repeating: "\(number)", count: 255 << 10))
            _ = try await desk.documents.override(
                desk.key,
                with: [["op": "add", "path": "/0/actions/0/value", "value": value]],
                by: Desk.bob
            )
        }
        try await desk.put("two")
        return desk
    }

    private func size(_ rows: [AuditRow]) -> Int {
        rows.reduce(0) { $0 + ($1.before?.utf8.count ?? 0) + ($1.after?.utf8.count ?? 0) }
    }

    @Test(
        "a page of large rows ends early, and the following pages have the rest",
        arguments: StoreKind.allCases
    )
    func early(kind: StoreKind) async throws {
        let desk = try await large(kind)
        let backend = try desk.store.backend()
        var rows: [AuditRow] = []
        var count = 0
        while true {
            let page = try await backend.audit(after: rows.last?.sequence ?? 0, limit: 100)
            if page.isEmpty { break }
            // Less than the bound, and the row with which it is reached.
            #expect(size(page.dropLast()) < 1 << 20)
            rows += page
            count += 1
        }
        #expect(rows.map(\.sequence) == Array(1...9))
        #expect(count > 2)
        var back: [AuditRow] = []
        while true {
            let page = try await backend.audit(before: back.last?.sequence, limit: 100)
            if page.isEmpty { break }
            #expect(size(page.dropLast()) < 1 << 20)
            back += page
        }
        #expect(Array(back.reversed()) == rows)
        let two = try await backend.audit(after: 0, limit: 2)
        #expect(two == Array(rows[..<2]))
        let one = try await backend.audit(before: 9, limit: 1)
        #expect(one == [rows[7]])
        let none = try await backend.audit(after: 9, limit: 100)
        #expect(none.isEmpty)
        let before = try await backend.audit(before: 1, limit: 100)
        #expect(before.isEmpty)
        let check = try await AuditCheck(backend)
        #expect(check.findings == [])
        #expect(check.count == 9)
    }

    @Test("an export has pieces of limited size, and an import of it exports the same bytes")
    func exported() async throws {
        let desk = try await large(.sqlite)
        var text: [UInt8] = []
        for try await piece in try await desk.documents.export() {
            #expect(piece.count < 4 << 20)
            text += piece
        }
        let other = try Desk(.directory)
        try await other.documents.load(BehaviorArchive(text), by: Desk.bob)
        #expect(try await other.exported() == text)
        #expect(try await other.findings() == [])
    }

    /// Rows that follow upon others, of a change as an archive brings it.
    private func rows(_ count: Int, upon head: AuditHead = .none) -> [AuditRow] {
        var head = head
        return (1...count).map { number in
            let row = AuditRow(
                after: head,
                at: number,
                author: Desk.ada,
                change: "rules",
                environment: "production",
                name: "",
                from: nil,
                to: "{}"
            )
            head = AuditHead(row)
            return row
        }
    }

    /// The folder with one file, of these rows, that nobody has read yet.
    private func backend(_ rows: [AuditRow]) async throws -> DirectoryBehaviors {
        let backend = DirectoryBehaviors(store.folder, logger: KeptStore.quiet)
        #expect(try await backend.commit(BehaviorChange(audit: rows)))
        return backend
    }

    @Test("a file's cached rows are dropped only after a time without reads")
    func rest() async throws {
        let rows = rows(100)
        let backend = try await backend(rows)
        #expect(!backend.keepsAuditRows)
        for start in stride(from: 0, to: 100, by: 50) {
            let page = try await backend.audit(after: start, limit: 50)
            #expect(page == Array(rows[start..<start + 50]))
            // A walk may pause.
            for _ in 1...75 { backend.rest() }
            #expect(backend.keepsAuditRows)
        }
        #expect(backend.auditReadCount == 1)
        backend.rest()
        #expect(!backend.keepsAuditRows)
        backend.rest()
        let again = try await backend.audit(before: nil, limit: 1)
        #expect(again == [rows[99]])
        #expect(backend.auditReadCount == 2)
    }

    @Test("concurrent readers of a file's rows read the file once")
    func together() async throws {
        let rows = rows(500)
        let backend = try await backend(rows)
        try await withThrowingTaskGroup { group in
            for start in 0..<8 {
                group.addTask { try await backend.audit(after: start, limit: 1) }
            }
            for try await page in group { #expect(page.count == 1) }
        }
        #expect(backend.auditReadCount == 1)
    }

    @Test(
        "a file of many rows is read once for all its pages, and again after an edit"
    )
    func walk() async throws {
        let rows = rows(2_000)
        let backend = try await backend(rows)
        var walked: [AuditRow] = []
        for start in stride(from: 0, to: 2_000, by: 50) {
            walked += try await backend.audit(after: start, limit: 50)
        }
        #expect(walked == rows)
        var back: [AuditRow] = []
        for start in stride(from: 2_001, to: 1, by: -50) {
            back += try await backend.audit(before: start, limit: 50)
        }
        #expect(back == rows.reversed())
        #expect(backend.auditReadCount == 1)

        // Single changes behind it take nothing from it.
        var last = AuditHead(try #require(rows.last))
        for _ in 1...3 {
            let change = self.rows(1, upon: last)
            last = AuditHead(change[0])
            #expect(try await backend.commit(BehaviorChange(audit: change)))
        }
        let end = try await backend.audit(after: 1_998, limit: 100)
        #expect(end.map(\.sequence) == Array(1_999...2_003))
        #expect(backend.auditReadCount == 4)
        let above = try await backend.audit(before: 2_002, limit: 3)
        #expect(above.map(\.sequence) == [2_001, 2_000, 1_999])
        #expect(backend.auditReadCount == 5)

        let path = store.folder + "/.history/00000001.json"
        let url = URL(fileURLWithPath: path)
        let text = try String(contentsOf: url, encoding: .utf8)
        try Data(text.replacing("\"ada\"", with: "\"eve\"", maxReplacements: 1).utf8).write(to: url)
        let edited = try await backend.audit(after: 0, limit: 1)
        #expect(edited.map(\.author.name) == ["eve"])
        let check = try await AuditCheck(backend)
        #expect(check.findings.first == "row 1 was edited: its hash doesn't match its content")
        try FileManager.default.removeItem(atPath: path)
        let gone = try await backend.audit(after: 0, limit: 1)
        #expect(gone.map(\.sequence) == [2_001])
    }

    @Test("rows in another order within a file are still returned")
    func disorder() async throws {
        let rows = rows(5)
        _ = try await backend(rows)
        let url = URL(fileURLWithPath: store.folder + "/.history/00000001.json")
        var json = try JSON(parsing: try Data(contentsOf: url))
        let audit = try #require(json["audit"]?.array)
        json["audit"] = .array([audit[4], audit[1], audit[2], audit[0], audit[3]])
        try Data(json.encoded()).write(to: url)
        let other = try store.other()
        let all = try await other.audit(after: 0, limit: 100)
        #expect(all.map(\.sequence) == [5, 2, 3, 1, 4])
        let beyond = try await other.audit(after: 3, limit: 100)
        #expect(beyond.map(\.sequence) == [5, 4])
        let below = try await other.audit(before: 3, limit: 100)
        #expect(below.map(\.sequence) == [1, 2])
    }
}
