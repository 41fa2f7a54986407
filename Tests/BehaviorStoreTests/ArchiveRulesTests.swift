import BehaviorStore
import JSONCodec
import Testing

/// What an archive brings is held against the rules by which requests make such.
@Suite("The rules of an archive's lines")
struct ArchiveRulesTests {
    /// A store with a record of each kind.
    private func desk(_ kind: StoreKind = .sqlite) async throws -> Desk {
        let desk = try Desk(kind)
        let documents = desk.documents
        try await desk.put("one")
        try await desk.put("two", isDraft: true)
        _ = try await documents.approve(2, of: desk.key, by: Desk.bob)
        _ = try await documents.schedule(2, of: desk.key, at: 2_000_000_000, by: Desk.ada)
        try await documents.set(EnvironmentRules(approvals: 10), of: "staging", by: Desk.bob)
        _ = try await documents.override(
            desk.staging,
            with: [["op": "replace", "path": "/0/name", "value": "other"]],
            by: Desk.bob
        )
        _ = try await documents.promote(of: desk.key, to: "staging", by: Desk.ada)
        return desk
    }

    private func lines(_ desk: Desk) async throws -> [JSON] {
        try await desk.exported().split(separator: 0x0A).map { try JSON(parsing: $0) }
    }

    private func text(_ lines: [JSON]) -> [UInt8] {
        lines.flatMap { $0.encoded() + [0x0A] }
    }

    private func error(
        _ lines: [JSON],
        _ bounds: ArchiveBounds = ArchiveBounds()
    )
        -> BehaviorArchive.Invalid?
    {
        do {
            var parser = ArchiveParser(bounds: bounds)
            try parser.take(text(lines))
            _ = try parser.finish()
            return nil
        } catch {
            return error
        }
    }

    /// The place of the first line that has a thing, and in it a member of a value.
    private func place(
        _ lines: [JSON],
        _ thing: String,
        _ member: String,
        _ value: JSON
    ) throws
        -> Int
    {
        try #require(lines.firstIndex { $0[thing]?[member] == value })
    }

    /// The lines with another value of a thing's member; nil for none.
    private func changed(
        _ lines: [JSON],
        _ place: Int,
        _ thing: String,
        _ member: String,
        _ value: JSON?
    ) throws -> [JSON] {
        var lines = lines
        var members = try #require(lines[place][thing]?.object)
        members[member] = value
        lines[place] = .object([thing: .object(members)])
        return lines
    }

    /// The lines with their rows' hashes made anew, as one who makes an archive of their own can.
    private func sealed(_ lines: [JSON]) throws -> [JSON] {
        var head = AuditHead.none
        return try lines.map { line in
            if let row = line["audit"] {
                func text(_ member: String) -> String { row[member]?.string ?? "" }
                let made = AuditRow(
                    after: head,
                    at: try #require(row["at"]?.int),
                    author: Author(
                        id: text("author"),
                        name: text("authorName"),
                        address: text("address")
                    ),
                    change: text("change"),
                    environment: text("environment"),
                    name: text("name"),
                    from: row["before"]?.string,
                    to: row["after"]?.string
                )
                head = AuditHead(made)
                var members = try #require(row.object)
                members["previous"] = .string(made.previous)
                members["hash"] = .string(made.hash)
                return ["audit": .object(members)]
            }
            guard var end = line["end"]?.object else { return line }
            end["hash"] = .string(head.hash)
            return ["end": .object(end)]
        }
    }

    @Test("what has a record of each kind is taken as it is")
    func good() async throws {
        let lines = try await lines(desk())
        let kinds = Set(lines.compactMap { $0["record"]?["kind"]?.string })
        #expect(kinds == ["draft", "schedule", "rules", "override", "origin"])
        #expect(error(lines) == nil)
        #expect(error(try sealed(lines)) == nil)
    }

    /// A record's kind, the member that is changed, its new value, and where what is wrong with it.
    static let badRecords: [(String, String, JSON, String, String)] = [
        ("rules", "value", "{}", "/record/value/approvals", "missing"),
        ("rules", "value", "[]", "/record/value", "expected an object"),
        ("rules", "value", "approvals", "/record/value", ""),
        ("rules", "value", #"{"approvals":"1"}"#, "/record/value/approvals", "expected"),
        ("rules", "value", #"{"approvals":1.5}"#, "/record/value/approvals", "expected"),
        ("rules", "value", #"{"approvals":-1}"#, "/record/value/approvals", "0 to 10"),
        ("rules", "value", #"{"approvals":11}"#, "/record/value/approvals", "0 to 10"),
        ("rules", "environment", "Staging", "/record/environment", "a small letter or digit"),
        ("rules", "environment", "", "/record/environment", "a small letter or digit"),
        ("rules", "name", "default", "/record/name", "expected an empty text"),
        ("rules", "item", "1", "/record/item", "expected an empty text"),
        ("override", "value", "{}", "/record/value/patch", "missing"),
        (
            "override", "value", #"{"patch":[{"op":"fly","path":""}],"by":"2","name":"b","at":1}"#,
            "/record/value/patch/0/op", ""
        ),
        (
            "override", "value", #"{"patch":{},"by":"2","name":"b","at":1}"#,
            "/record/value/patch", ""
        ),
        (
            "override", "value", #"{"patch":[],"by":"2","name":"a\u0007","at":1}"#,
            "/record/value/name", "no control characters"
        ),
        (
            "override", "value", #"{"patch":[],"by":"2","name":"b","at":-1}"#,
            "/record/value/at", "out of range"
        ),
        ("override", "name", "a/b", "/record/name", "a small letter or digit"),
        ("override", "item", "x", "/record/item", "expected an empty text"),
        ("draft", "value", "[]", "/record/value", "expected an object"),
        ("draft", "value", #"{"approvals":[{}]}"#, "/record/value/approvals/0/", "missing"),
        (
            "draft", "value", #"{"approvals":[{"by":"1","name":"ada","at":1}]}"#,
            "/record/value/approvals/0/by", "can't approve of it"
        ),
        (
            "draft", "value", #"{"approvals":[{"by":"","name":"","at":1}]}"#,
            "/record/value/approvals/0/by", "can't approve of it"
        ),
        (
            "draft", "value",
            #"{"approvals":[{"by":"3","name":"c","at":1}],"contributors":["2","3"]}"#,
            "/record/value/approvals/0/by", "can't approve of it"
        ),
        (
            "draft", "value", #"{"approvals":[],"contributors":["2","a\u0007"]}"#,
            "/record/value/contributors/1", "no control characters"
        ),
        (
            "draft", "value",
            #"{"approvals":[{"by":"2","name":"b","at":1},{"by":"2","name":"b","at":2}]}"#,
            "/record/value/approvals/1/by", "approves of it twice"
        ),
        (
            "draft", "value", #"{"approvals":[{"by":"2","name":"b","at":253402300800}]}"#,
            "/record/value/approvals/0/at", "out of range"
        ),
        ("draft", "item", "3", "/record/item", "there is no revision 3 of default in production"),
        ("draft", "item", "0", "/record/item", "expected a number"),
        ("draft", "item", "02", "/record/item", "expected a number"),
        ("draft", "item", "two", "/record/item", "expected a number"),
        ("draft", "item", "-9223372036854775808", "/record/item", "expected a number"),
        ("schedule", "value", #"{"revision":2}"#, "/record/value/at", "missing"),
        (
            "schedule", "value", #"{"revision":9,"at":1,"by":"1","name":"ada"}"#,
            "/record/value/revision", "there is no revision 9"
        ),
        (
            "schedule", "value", #"{"revision":-9223372036854775808,"at":1,"by":"1","name":"ada"}"#,
            "/record/value/revision", "there is no revision"
        ),
        (
            "schedule", "value", #"{"revision":2,"at":9223372036854775807,"by":"1","name":"ada"}"#,
            "/record/value/at", "out of range"
        ),
        (
            "schedule", "value", #"{"revision":2,"at":1,"by":"1\n","name":"ada"}"#,
            "/record/value/by", "no control characters"
        ),
        ("schedule", "item", "now", "/record/item", "expected a number"),
        ("schedule", "item", "1000", "/record/item", "there is no such row above"),
        ("schedule", "name", "other", "/record/value/revision", "there is no revision 2 of other"),
        ("origin", "value", "null", "/record/value", "expected an object"),
        (
            "origin", "value", #"{"environment":"No","revision":1,"overridden":true}"#,
            "/record/value/environment", "a small letter or digit"
        ),
        (
            "origin", "value", #"{"environment":"staging","revision":1,"overridden":true}"#,
            "/record/value/environment", "expected another environment"
        ),
        (
            "origin", "value", #"{"environment":"production","revision":0,"overridden":true}"#,
            "/record/value/revision", "there is no revision 0"
        ),
        ("origin", "item", "7", "/record/item", "there is no revision 7"),
        ("rules", "kind", "segment", "", "there is no kind segment"),
    ]

    @Test("a record that no request could have made is refused with its line, place and reason")
    func records() async throws {
        let lines = try await lines(desk())
        for (kind, member, value, pointer, reason) in Self.badRecords {
            let place = try place(lines, "record", "kind", .string(kind))
            let bad = try changed(lines, place, "record", member, value)
            let error = error(bad)
            #expect(error?.line == place + 1, "\(kind) \(member) \(value)")
            #expect(error?.pointer.hasPrefix(pointer) == true, "\(String(describing: error))")
            #expect(error?.reason.contains(reason) == true, "\(String(describing: error))")
        }
    }

    @Test(
        "a row or a revision that no request could have made is refused, however well it is hashed"
    )
    func rows() async throws {
        let lines = try await lines(desk())
        let row = try place(lines, "audit", "sequence", 4)
        let revision = try place(lines, "revision", "number", 1)
        let long = JSON.string(String(repeating: "x", count: 8 << 10 + 1))
        let object = JSON.string("{\"x\":\"\(String(repeating: "x", count: 1 << 20))\"}")
        let cases: [(Int, String, String, JSON, String)] = [
            (row, "audit", "author", "1\n", "no control characters"),
            (row, "audit", "authorName", "a\u{0}", "no control characters"),
            (row, "audit", "authorName", long, "8 KiB at most"),
            (row, "audit", "address", "\u{7F}", "no control characters"),
            (row, "audit", "at", -1, "out of range"),
            (row, "audit", "at", 253_402_300_800, "out of range"),
            (row, "audit", "change", "fly", "there is no such change"),
            (row, "audit", "environment", "", "a small letter or digit"),
            (row, "audit", "environment", "pro/duction", "a small letter or digit"),
            (row, "audit", "name", "../default", "a small letter or digit"),
            (row, "audit", "after", "publish", "expected the text of an object"),
            (row, "audit", "before", "[]", "expected the text of an object"),
            (row, "audit", "after", object, "1024 KiB at most"),
            (revision, "revision", "author", "\u{1B}[2J", "no control characters"),
            (revision, "revision", "authorName", long, "8 KiB at most"),
            (revision, "revision", "created", -5, "out of range"),
        ]
        for (place, thing, member, value, reason) in cases {
            var bad = try changed(lines, place, thing, member, value)
            if thing == "revision" {
                bad[place] = .object([
                    thing: try #require(bad[place][thing]),
                    "text": try #require(lines[place]["text"]),
                ])
            }
            let error = error(try sealed(bad))
            #expect(error?.line == place + 1, "\(member) \(value)")
            #expect(error?.pointer == "/\(thing)/\(member)", "\(String(describing: error))")
            #expect(error?.reason.contains(reason) == true, "\(String(describing: error))")
        }
        let typed = error(try changed(lines, row, "audit", "at", "now"))
        #expect(typed?.description.hasPrefix("line \(row + 1): /audit/at: ") == true)
    }

    @Test(
        "what is wrong in rows and record alike is refused, and nothing is kept",
        arguments: StoreKind.allCases
    )
    func consistent(kind: StoreKind) async throws {
        let good = try await lines(desk())
        let row = try place(good, "audit", "change", "rules")
        let record = try place(good, "record", "kind", "rules")
        for value: JSON in [#"{"approvals":99}"#, #"{"approval":1}"#, #"{"approvals":null}"#] {
            var bad = try changed(good, row, "audit", "after", value)
            bad = try changed(bad, record, "record", "value", value)
            let forged = text(try sealed(bad))
            let other = try Desk(kind)
            let error = await #expect(throws: BehaviorArchive.Invalid.self) {
                try await other.documents.load(BehaviorArchive(forged), by: Desk.bob)
            }
            #expect(error?.line == record + 1)
            #expect(error?.pointer == "/record/value/approvals")
            let head = try await other.store.keeping().head()
            #expect(head == .none)
            let rules = try await other.documents.rules(of: "staging")
            #expect(rules == EnvironmentRules())
        }
        // With what is as it has to be it goes through: the forging isn't what is refused.
        var better = try changed(good, row, "audit", "after", #"{"approvals":3}"#)
        better = try changed(better, record, "record", "value", #"{"approvals":3}"#)
        let other = try Desk(kind)
        try await other.documents.load(BehaviorArchive(text(try sealed(better))), by: Desk.bob)
        let rules = try await other.documents.rules(of: "staging")
        #expect(rules == EnvironmentRules(approvals: 3))
    }

    @Test("an archive has no more than a store takes, and than memory is for")
    func bounds() async throws {
        let lines = try await lines(desk())
        #expect(error(lines) == nil)
        let cases: [(WritableKeyPath<ArchiveBounds, Int>, String, JSON, String)] = [
            (\.rows, "audit", 3, "rows of the audit at most"),
            (\.documents, "document", "staging", "documents at most"),
            (\.overrides, "record", "override", "overrides of 0 documents at most"),
            (\.rules, "record", "rules", "rules of 0 environments at most"),
            (\.schedules, "record", "schedule", "0 schedules at most"),
        ]
        for (bound, thing, value, reason) in cases {
            var bounds = ArchiveBounds()
            bounds[keyPath: bound] = thing == "audit" ? 2 : thing == "document" ? 1 : 0
            let member = ["audit": "sequence", "document": "environment"][thing] ?? "kind"
            let error = error(lines, bounds)
            #expect(error?.line == (try place(lines, thing, member, value)) + 1)
            #expect(error?.reason.contains(reason) == true, "\(String(describing: error))")
        }
        var bounds = ArchiveBounds()
        bounds.bytes = text(lines).count - lines.count
        #expect(error(lines, bounds) == nil)
        bounds.bytes -= 1
        #expect(error(lines, bounds)?.reason.contains("bytes at most") == true)
        #expect(error(lines, bounds)?.line == lines.count)
    }

    @Test("a line of more than 8 MiB is refused where it comes in one piece, too")
    func longLine() {
        var parser = ArchiveParser()
        let piece = [UInt8](repeating: 0x20, count: 8 << 20 + 1) + [0x0A]
        let error = #expect(throws: BehaviorArchive.Invalid.self) { try parser.take(piece) }
        #expect(error?.reason == "it is longer than 8 MiB")
        #expect(error?.line == 1)
    }

    @Test("rules that can't be asked for are refused", arguments: [-1, 11, Int.max])
    func rules(approvals: Int) async throws {
        let desk = try Desk(.sqlite)
        let error = await desk.error {
            try await desk.documents.set(
                EnvironmentRules(approvals: approvals),
                of: "staging",
                by: Desk.ada
            )
        }
        #expect(
            error
                == .invalid([
                    JSONTypeError(pointer: "/approvals", message: "out of range: 0 to 10")
                ])
        )
        let head = try await desk.store.keeping().head()
        #expect(head == .none)
    }

    @Test("an archive's end is told from any other")
    func ends() async throws {
        let text = text(try await lines(desk()))
        #expect(BehaviorArchive.isWhole(text))
        #expect(BehaviorArchive.isWhole(text.suffix(BehaviorArchive.greatestEnd)))
        for count in [0, 1, text.count / 2, text.count - 20, text.count - 1] {
            #expect(!BehaviorArchive.isWhole(text.prefix(count)), "\(count)")
        }
        let lines = text.split(separator: 0x0A)
        #expect(
            !BehaviorArchive.isWhole(Array(lines.dropLast().joined(separator: [0x0A])) + [0x0A])
        )
        #expect(!BehaviorArchive.isWhole(Array("\n{}\n".utf8)))
    }

    @Test(
        "who couldn't be in an archive that is taken over changes nothing",
        arguments: ["ada\n", "\u{0}", "a\u{7F}", "\u{1B}[2J", String(repeating: "é", count: 4097)]
    )
    func authors(name: String) async throws {
        let desk = try await desk()
        let before = try await desk.store.keeping().head()
        for author in [
            Author(id: name), Author(id: "1", name: name), Author(id: "1", address: name),
        ] {
            #expect(!author.canBeKept)
            await #expect(throws: BehaviorStoreError.self) {
                try await desk.documents.set(EnvironmentRules(approvals: 1), of: "a", by: author)
            }
        }
        let after = try await desk.store.keeping().head()
        #expect(after == before)
    }

    @Test("who has a name as long as it may be, of any letters, is taken over with an archive")
    func longestAuthor() async throws {
        let desk = try await desk()
        let name = String(repeating: "é\u{85}", count: 2048)
        let author = Author(id: name, name: name, address: "schedule")
        try await desk.documents.set(EnvironmentRules(approvals: 1), of: "a", by: author)
        #expect(error(try await lines(desk)) == nil)
    }
}
