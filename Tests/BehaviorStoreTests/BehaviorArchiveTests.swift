import BehaviorStore
import JSONCodec
import Testing

@Suite("Archives of behavior documents")
struct BehaviorArchiveTests {
    /// A store with something of each kind.
    private func desk(_ kind: StoreKind) async throws -> Desk {
        let desk = try Desk(kind)
        let documents = desk.documents
        try await desk.put("one")
        try await desk.put("two", isDraft: true)
        try await desk.put("three")
        _ = try await documents.rollback(to: 1, of: desk.key, message: "Zurück\n„so“", by: Desk.bob)
        let banner = try #require(DocumentKey("banner", in: "staging"))
        _ = try await documents.put(
            Array("[ {\"name\": \"B\u{E9} \\u00e9\\n\",\r\n \"actions\":[]} ]".utf8),
            as: banner,
            by: Desk.bob
        )
        try await desk.put("five", isDraft: true)
        _ = try await documents.approve(5, of: desk.key, by: Desk.bob)
        _ = try await documents.schedule(5, of: desk.key, at: 2_000_000_000, by: Desk.ada)
        try await documents.set(EnvironmentRules(approvals: 1), of: "staging", by: Desk.bob)
        return desk
    }

    private func error(
        _ body: () async throws -> some Sendable
    ) async -> BehaviorArchive.Invalid? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error as? BehaviorArchive.Invalid
        }
    }

    @Test("a store's contents move to another store and back unchanged, audit included")
    func moves() async throws {
        let first = try await desk(.sqlite)
        let text = try await first.exported()
        let rows = try await first.store.backend().audit(after: 0, limit: 100)
        for kind in StoreKind.allCases + [.sqlite] {
            let next = try Desk(kind) { 3_000_000 }
            try await next.documents.load(BehaviorArchive(text), by: Desk.bob)
            #expect(next.served == String(decoding: Desk.text("one"), as: UTF8.self))
            let backend = try next.store.backend()
            let theirs = try await backend.audit(after: 0, limit: 100)
            #expect(theirs == rows)
            for number in 1...5 {
                let mine = try await first.documents.revision(number, of: first.key)
                let other = try await next.documents.revision(number, of: first.key)
                #expect(mine == other)
            }
            let stages = try await next.documents.history(of: next.key).map(\.stage)
            #expect(stages == [.draft, .live, .earlier, .draft, .earlier])
            let check = try await AuditCheck(backend, expecting: rows.last?.hash)
            #expect(check.findings == [])
            let again = try await next.exported()
            #expect(again == text)
            // History goes on from there.
            let put = try await next.put("six")
            #expect(put.info.number == 6)
            let after = try await AuditCheck(next.store.other(), expecting: rows.last?.hash)
            #expect(after.findings == [])
            #expect(after.count == rows.count + 1)
        }
    }

    @Test("an import into a store that isn't empty is rejected", arguments: StoreKind.allCases)
    func notEmpty(kind: StoreKind) async throws {
        let archive = try BehaviorArchive(await desk(kind).exported())
        let other = try Desk(kind)
        let name = try #require(DocumentKey("another", in: "staging"))
        _ = try await other.documents.put(Desk.text("one"), as: name, by: Desk.ada)
        let before = try await other.exported()
        let refused = await other.error { try await other.documents.load(archive, by: Desk.bob) }
        #expect(
            refused
                == .conflict(
                    "the store isn't empty: it has 1 documents and 1 rows of the audit; import into an "
                        + "empty store"
                )
        )
        let after = try await other.exported()
        #expect(after == before)
    }

    @Test("an export during publications is consistent", arguments: StoreKind.allCases)
    func busy(kind: StoreKind) async throws {
        let desk = try await desk(kind)
        var text: [UInt8] = []
        for try await piece in try await desk.documents.export() {
            text += piece
            try await desk.put("more")
        }
        let other = try Desk(.sqlite)
        try await other.documents.load(BehaviorArchive(text), by: Desk.bob)
        let latest = try await other.store.backend().document(other.key)?.latest
        #expect(latest == 5)
    }

    @Test("a damaged store isn't exported", arguments: StoreKind.databases)
    func damaged(kind: StoreKind) async throws {
        let desk = try await desk(kind)
        try await desk.store.tamper(
            "UPDATE plugboard_revision SET digest = 'another' WHERE name = 'default' AND number = 2"
        )
        let error = await desk.error { try await desk.exported() }
        #expect(
            error == .unavailable("revision 2 of default in production doesn't match its digest")
        )
    }

    @Test("an empty store's archive imports as an empty store", arguments: StoreKind.allCases)
    func nothing(kind: StoreKind) async throws {
        let text = try await Desk(kind).exported()
        #expect(text.count { $0 == 0x0A } == 2)
        let other = try Desk(kind)
        try await other.documents.load(BehaviorArchive(text), by: Desk.bob)
        let head = try await other.store.backend().head()
        #expect(head == .none)
    }

    @Test(
        "an invalid archive is rejected with the line and the reason",
        arguments: [
            ("", 1, "cut off"),
            ("[]\n", 1, "not an archive, which begins with"),
            ("{}\n", 1, #"{"format":"plugboard-behaviors-1"}"#),
            (
                #"{"format":"plugboard-behaviors-2"}"#, 1,
                "the archive has the format plugboard-behaviors-2, and this version reads plugboard-behaviors-1"
            ),
            (#"{"format":"other-2"}"#, 1, "not an archive"),
            ("{\n", 1, "`plugboard behaviors convert`"),
        ]
    )
    func noArchive(text: String, line: Int, reason: String) throws {
        let error = #expect(throws: BehaviorArchive.Invalid.self) {
            try BehaviorArchive(Array(text.utf8))
        }
        #expect(error?.line == line)
        #expect(error?.reason.contains(reason) == true, "\(String(describing: error))")
    }

    @Test("an edited, truncated or reassembled archive is rejected with the line and the reason")
    func edited() async throws {
        let text = String(decoding: try await desk(.sqlite).exported(), as: UTF8.self)
        let lines = text.split(separator: "\n").map(String.init)
        let row = try #require(lines.firstIndex { $0.contains(#""sequence":3"#) })
        let revision = try #require(lines.firstIndex { $0.contains("three") })
        let record = try #require(lines.firstIndex { $0.contains(#""kind":"draft""#) })
        let end = lines.count - 1
        func changed(_ place: Int, _ old: String, _ new: String) -> [String] {
            var lines = lines
            #expect(lines[place].contains(old))
            lines[place] = lines[place].replacing(old, with: new)
            return lines
        }
        func without(_ place: Int) -> [String] { Array(lines[..<place] + lines[(place + 1)...]) }
        func twice(_ place: Int) -> [String] { Array(lines[...place] + lines[place...]) }
        let cases: [([String], Int?, String)] = [
            (changed(row, "\"ada\"", "\"eve\""), row, "row 3 was edited"),
            (without(row), row, "row 4 doesn't follow row 2"),
            (twice(row), row + 1, "row 3 doesn't follow row 3"),
            (changed(revision, "three", "eerht"), revision, "doesn't match its digest"),
            (without(revision), revision, "revision 4 of default in production doesn't follow"),
            (twice(revision), revision + 1, "doesn't follow revision 3"),
            (changed(record, "\"draft\"", "\"daft\""), record, "unknown kind daft"),
            (twice(record), record + 1, "appears twice"),
            (changed(end, "\"rows\":9", "\"rows\":8"), end, "is incomplete"),
            (without(record), end - 1, "is incomplete"),
            (Array(lines[..<end]), end, "cut off"),
            (lines + ["{}"], end + 1, "there are lines after the archive's end"),
            (changed(row, "\"audit\"", "\"odd\""), row, "expected audit"),
            (changed(row, "{", "{{"), row, ""),
        ]
        for (lines, line, reason) in cases {
            let text = Array(lines.joined(separator: "\n").utf8)
            let error = #expect(throws: BehaviorArchive.Invalid.self) { try BehaviorArchive(text) }
            #expect(error?.line == line.map { $0 + 1 }, "\(reason)")
            #expect(error?.reason.contains(reason) == true, "\(String(describing: error))")
        }
    }

    @Test(
        "documents, approvals and rules that differ from the rows are rejected",
        arguments: StoreKind.allCases
    )
    func forged(kind: StoreKind) async throws {
        let text = String(decoding: try await desk(.sqlite).exported(), as: UTF8.self)
        for (old, new, reason) in [
            (#""live":4"#, #""live":3"#, "revision 3 is live, but the rows say revision 4"),
            (#"{\"approvals\":1}"#, #"{\"approvals\":0}"#, "the rules of staging: the value"),
            (#""authorName":"bob","created""#, #""authorName":"eve","created""#, "author, time"),
        ] {
            let forged = text.split(separator: "\n").map { line in
                line.contains("\"audit\"") ? String(line) : String(line).replacing(old, with: new)
            }.joined(separator: "\n")
            #expect(forged != text)
            let other = try Desk(kind)
            let error = await error {
                try await other.documents.load(BehaviorArchive(Array(forged.utf8)), by: Desk.bob)
            }
            #expect(error?.reason.contains(reason) == true, "\(String(describing: error))")
            let head = try await other.store.backend().head()
            #expect(head == .none)
            let documents = try await other.store.backend().documents()
            #expect(documents.isEmpty)
        }
    }

    @Test("an archive can arrive in pieces of any size")
    func pieces() async throws {
        let text = try await desk(.sqlite).exported()
        let whole = try BehaviorArchive(text)
        for size in [1, 7, 4_096] {
            var parser = ArchiveParser()
            for start in stride(from: 0, to: text.count, by: size) {
                try parser.take(Array(text[start..<min(start + size, text.count)]))
            }
            let archive = try parser.finish()
            #expect(archive.rows == whole.rows)
            #expect(archive.revisions == whole.revisions)
            #expect(archive.documents == whole.documents)
            #expect(archive.records == whole.records)
        }
    }

    @Test("an endless line is rejected before it fills the memory")
    func endless() {
        var parser = ArchiveParser()
        let piece = [UInt8](repeating: 0x20, count: 1 << 20)
        let error = #expect(throws: BehaviorArchive.Invalid.self) {
            for _ in 0..<9 { try parser.take(piece) }
        }
        #expect(error?.reason == "the line is longer than 8 MiB")
    }
}
