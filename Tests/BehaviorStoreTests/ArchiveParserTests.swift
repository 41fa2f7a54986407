import BehaviorStore
import JSONCodec
import Testing

/// An archive's lines are checked against the rules for requests.
@Suite("Validation of an archive's lines")
struct ArchiveParserTests {
    @Test("an archive with a record of each kind is accepted")
    func good() async throws {
        let lines = try await ArchiveLines(.full())
        let kinds = Set(lines.json.compactMap { $0["record"]?["kind"]?.string })
        #expect(kinds == ["draft", "schedule", "rules", "override", "origin", "basis"])
        #expect(lines.error() == nil)
        #expect(try lines.sealed().error() == nil)
    }

    private static let digest = String(repeating: "0", count: 64)

    /// A record's kind, the member that is changed, its new value, and where what is wrong with it.
    static let badRecords: [(String, String, JSON, String, String)] = [
        ("rules", "value", "{}", "/record/value/approvals", "missing"),
        ("rules", "value", "[]", "/record/value", "expected an object"),
        ("rules", "value", "approvals", "/record/value", ""),
        ("rules", "value", #"{"approvals":"1"}"#, "/record/value/approvals", "expected"),
        ("rules", "value", #"{"approvals":1.5}"#, "/record/value/approvals", "expected"),
        ("rules", "value", #"{"approvals":-1}"#, "/record/value/approvals", "0 to 10"),
        ("rules", "value", #"{"approvals":11}"#, "/record/value/approvals", "0 to 10"),
        ("rules", "environment", "Staging", "/record/environment", "a lowercase letter or digit"),
        ("rules", "environment", "", "/record/environment", "a lowercase letter or digit"),
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
            "/record/value/name", "remove control characters"
        ),
        (
            "override", "value", #"{"patch":[],"by":"2","name":"b","at":-1}"#,
            "/record/value/at", "out of range"
        ),
        ("override", "name", "a/b", "/record/name", "a lowercase letter or digit"),
        ("override", "item", "x", "/record/item", "expected an empty text"),
        ("draft", "value", "[]", "/record/value", "expected an object"),
        ("draft", "value", #"{"approvals":[{}]}"#, "/record/value/approvals/0/", "missing"),
        (
            "draft", "value", #"{"approvals":[{"by":"1","name":"ada","at":1}]}"#,
            "/record/value/approvals/0/by", "can't approve it"
        ),
        (
            "draft", "value", #"{"approvals":[{"by":"","name":"","at":1}]}"#,
            "/record/value/approvals/0/by", "can't approve it"
        ),
        (
            "draft", "value",
            #"{"approvals":[{"by":"3","name":"c","at":1}],"contributors":["2","3"]}"#,
            "/record/value/approvals/0/by", "can't approve it"
        ),
        (
            "draft", "value", #"{"approvals":[],"contributors":["2","a\u0007"]}"#,
            "/record/value/contributors/1", "remove control characters"
        ),
        (
            "draft", "value", #"{"approvals":[],"contributors":[{"by":"2","name":"a\u0007"}]}"#,
            "/record/value/contributors/0/name", "remove control characters"
        ),
        (
            "draft", "value", #"{"approvals":[],"contributors":[{"by":"2"}]}"#,
            "/record/value/contributors/0/name", "missing"
        ),
        (
            "draft", "value", #"{"approvals":[],"overriddenBy":{"by":"\u0007","name":"a"}}"#,
            "/record/value/overriddenBy/by", "remove control characters"
        ),
        (
            "draft", "value",
            #"{"approvals":[{"by":"3","name":"c","at":1}],"contributors":[{"by":"3","name":"c"}]}"#,
            "/record/value/approvals/0/by", "can't approve it"
        ),
        (
            "draft", "value",
            #"{"approvals":[{"by":"2","name":"b","at":1},{"by":"2","name":"b","at":2}]}"#,
            "/record/value/approvals/1/by", "approves it twice"
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
        (
            "draft", "value", #"{"approvals":[{"by":"9","name":"ada","at":1}]}"#,
            "/record/value/approvals/0/by", "can't approve it"
        ),
        (
            "draft", "value",
            #"{"approvals":[{"by":"2","name":"b","at":1},{"by":"9","name":" ","at":2}]}"#,
            "/record/value/approvals/1/name", "an approver needs a name"
        ),
        ("basis", "value", "[]", "/record/value", "expected an object"),
        ("basis", "value", "{}", "/record/value/digest", "missing"),
        ("basis", "value", #"{"digest":"x"}"#, "/record/value/digest", "64 hexadecimal"),
        (
            "basis", "value", .string(#"{"digest":"\#(digest)","overrides":"\#(digest)0"}"#),
            "/record/value/overrides", "64 hexadecimal"
        ),
        (
            "basis", "value", .string(#"{"digest":"\#(digest)","revision":9}"#),
            "/record/value/revision",
            "no revision 9"
        ),
        (
            "basis", "value", .string(#"{"digest":"\#(digest)","revision":1}"#),
            "/record/value/revision",
            "an earlier revision"
        ),
        (
            "basis", "value",
            .string(#"{"digest":"\#(digest)","overriddenBy":{"by":"\u0007","name":"a"}}"#),
            "/record/value/overriddenBy/by", "remove control characters"
        ),
        ("basis", "item", "9", "/record/item", "there is no revision 9"),
        ("basis", "name", "a/b", "/record/name", "a lowercase letter or digit"),
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
            "/record/value/by", "remove control characters"
        ),
        ("schedule", "item", "now", "/record/item", "expected a number"),
        ("schedule", "item", "1000", "/record/item", "there is no such row above"),
        ("schedule", "name", "other", "/record/value/revision", "there is no revision 2 of other"),
        ("origin", "value", "null", "/record/value", "expected an object"),
        (
            "origin", "value", #"{"environment":"No","revision":1,"overridden":true}"#,
            "/record/value/environment", "a lowercase letter or digit"
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
        ("rules", "kind", "segment", "", "unknown kind segment"),
    ]

    @Test("a record that no request creates is rejected with its line, location and reason")
    func records() async throws {
        let lines = try await ArchiveLines(.full())
        for (kind, member, value, pointer, reason) in Self.badRecords {
            let place = try lines.place("record", "kind", .string(kind))
            let error = try lines.changed(place, "record", member, value).error()
            #expect(error?.line == place + 1, "\(kind) \(member) \(value)")
            #expect(error?.pointer.hasPrefix(pointer) == true, "\(String(describing: error))")
            #expect(error?.reason.contains(reason) == true, "\(String(describing: error))")
        }
    }

    @Test(
        "a row or revision that no request creates is rejected despite a valid hash"
    )
    func rows() async throws {
        let lines = try await ArchiveLines(.full())
        let row = try lines.place("audit", "sequence", 4)
        let revision = try lines.place("revision", "number", 1)
        let long = JSON.string(String(repeating: "x", count: 8 << 10 + 1))
        let object = JSON.string("{\"x\":\"\(String(repeating: "x", count: 1 << 20))\"}")
        func author(_ id: JSON, _ name: JSON, _ address: JSON) -> JSON {
            ["id": id, "name": name, "address": address]
        }
        let cases: [(Int, String, String, JSON, String)] = [
            (row, "audit", "author/id", author("1\n", "", ""), "remove control characters"),
            (row, "audit", "author/name", author("", "a\u{0}", ""), "remove control characters"),
            (row, "audit", "author/name", author("", long, ""), "8 KiB at most"),
            (row, "audit", "author/address", author("", "", "\u{7F}"), "remove control characters"),
            (row, "audit", "at", -1, "out of range"),
            (row, "audit", "at", 253_402_300_800, "out of range"),
            (row, "audit", "change", "fly", "the kind of change is unknown"),
            (row, "audit", "environment", "", "a lowercase letter or digit"),
            (row, "audit", "environment", "pro/duction", "a lowercase letter or digit"),
            (row, "audit", "name", "../default", "a lowercase letter or digit"),
            (row, "audit", "after", "publish", "expected the text of an object"),
            (row, "audit", "before", "[]", "expected the text of an object"),
            (row, "audit", "after", object, "1024 KiB at most"),
            (revision, "revision", "author", "\u{1B}[2J", "remove control characters"),
            (revision, "revision", "authorName", long, "8 KiB at most"),
            (revision, "revision", "created", -5, "out of range"),
            (
                revision, "revision", "key", ["environment": "production", "name": "a/b"],
                "each a lowercase letter or digit"
            ),
            (
                revision, "revision", "key", ["environment": "", "name": "default"],
                "each a lowercase letter or digit"
            ),
        ]
        for (place, thing, member, value, reason) in cases {
            let name = String(member.prefix { $0 != "/" })
            let error = try lines.changed(place, thing, name, value).sealed().error()
            #expect(error?.line == place + 1, "\(member) \(value)")
            #expect(error?.pointer == "/\(thing)/\(member)", "\(String(describing: error))")
            #expect(error?.reason.contains(reason) == true, "\(String(describing: error))")
        }
        let typed = try lines.changed(row, "audit", "at", "now").error()
        #expect(typed?.description.hasPrefix("line \(row + 1): /audit/at: ") == true)
    }

    @Test(
        "a record with an invalid value is rejected even if its row agrees",
        arguments: StoreKind.allCases
    )
    func consistent(kind: StoreKind) async throws {
        let good = try await ArchiveLines(.full())
        let row = try good.place("audit", "change", "rules")
        let record = try good.place("record", "kind", "rules")
        for value: JSON in [#"{"approvals":99}"#, #"{"approval":1}"#, #"{"approvals":null}"#] {
            let forged = try good.changed(row, "audit", "after", value)
                .changed(record, "record", "value", value).sealed().text
            let other = try Desk(kind)
            let error = await #expect(throws: BehaviorArchive.Invalid.self) {
                try await other.documents.load(BehaviorArchive(forged), by: Desk.bob)
            }
            #expect(error?.line == record + 1)
            #expect(error?.pointer == "/record/value/approvals")
            let head = try await other.store.backend().head()
            #expect(head == .none)
            let rules = try await other.documents.rules(of: "staging")
            #expect(rules == EnvironmentRules())
        }
        // With what is as it has to be it goes through: the forging isn't what is refused.
        let value: JSON = #"{"approvals":3}"#
        let better = try good.changed(row, "audit", "after", value)
            .changed(record, "record", "value", value).sealed().text
        let other = try Desk(kind)
        try await other.documents.load(BehaviorArchive(better), by: Desk.bob)
        let rules = try await other.documents.rules(of: "staging")
        #expect(rules == EnvironmentRules(approvals: 3))
    }
}
