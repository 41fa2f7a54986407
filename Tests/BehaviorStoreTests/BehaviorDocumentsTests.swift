import BehaviorStore
import JSONCodec
import Testing

/// The rules, wherever the documents are kept.
@Suite("Behavior documents in a store")
struct BehaviorDocumentsTests {
    @Test("a new store has no documents", arguments: StoreKind.allCases)
    func nothing(kind: StoreKind) async throws {
        let desk = try Desk(kind)
        let list = try await desk.documents.documents(in: "production")
        #expect(list.isEmpty)
        let history = await desk.error { try await desk.documents.history(of: desk.key).count }
        #expect(history == .noDocument(desk.key))
        let rollback = await desk.error {
            try await desk.documents.rollback(to: 1, of: desk.key, by: Desk.ada)
        }
        #expect(rollback == .noDocument(desk.key))
        try desk.documents.begin()
        #expect(desk.served == nil)
    }

    @Test(
        "a put document is the next revision with the same bytes, and is served",
        arguments: StoreKind.allCases
    )
    func put(kind: StoreKind) async throws {
        let desk = try Desk(kind)
        let first = try await desk.documents.put(
            Desk.text("one"),
            as: desk.key,
            message: "The first,\nin two lines ✓",
            by: Desk.ada
        )
        #expect(first.isLive)
        #expect(first.info.number == 1)
        #expect(first.info.author == "1")
        #expect(first.info.authorName == "ada")
        #expect(first.info.message == "The first,\nin two lines ✓")
        #expect(first.info.created == 1_000_000)
        #expect(first.info.size == Desk.text("one").count)
        #expect(first.info.digest.count == 64)
        let second = try await desk.put("two")
        #expect(second.info.number == 2)
        #expect(desk.served == String(decoding: Desk.text("two"), as: UTF8.self))
        let bytes = try await desk.documents.revision(1, of: desk.key)
        #expect(bytes == StoredRevision(info: first.info, bytes: Desk.text("one")))
        let missing = await desk.error { try await desk.documents.revision(3, of: desk.key) }
        #expect(missing == .noRevision(3, desk.key))
        let list = try await desk.documents.documents(in: "production")
        #expect(list == [DocumentState(key: desk.key, latest: 2, live: 2, since: 1_000_000)])
    }

    @Test("each name and environment has its own revisions", arguments: StoreKind.allCases)
    func environments(kind: StoreKind) async throws {
        let desk = try Desk(kind)
        try await desk.put("one")
        let banner = try #require(DocumentKey("banner"))
        for key in [desk.staging, banner] {
            let put = try await desk.documents.put(Desk.text("other"), as: key, by: Desk.ada)
            #expect(put.info.number == 1)
        }
        #expect(desk.served == String(decoding: Desk.text("one"), as: UTF8.self))
        #expect(desk.live["banner"] != nil)
        let names = try await desk.documents.documents(in: "production").map(\.key.name)
        #expect(names == ["banner", "default"])
        let others = try await desk.documents.documents(in: "staging").map(\.key)
        #expect(others == [desk.staging])
    }

    @Test(
        "environments and documents may have names that the store uses itself",
        arguments: StoreKind.allCases,
        ["written", "history", "default", "0", "00000001", "new", "audit"]
    )
    func anyName(kind: StoreKind, name: String) async throws {
        let desk = try Desk(kind)
        let key = try #require(DocumentKey(name, in: name))
        for number in 1...2 {
            let info = try await desk.documents.put(Desk.text("\(number)"), as: key, by: Desk.ada)
                .info
            #expect(info.number == number)
        }
        let other = try desk.elsewhere()
        #expect(try await other.revision(1, of: key).bytes == Desk.text("1"))
        #expect(try await desk.findings() == [])
        try await desk.put("one")
    }

    @Test("a draft isn't served until it is published", arguments: StoreKind.allCases)
    func draft(kind: StoreKind) async throws {
        let desk = try Desk(kind)
        let draft = try await desk.put("one", isDraft: true)
        #expect(draft.live == nil)
        #expect(desk.served == nil)
        var stages = try await desk.documents.history(of: desk.key).map(\.stage)
        #expect(stages == [.draft])
        let published = try await desk.documents.publish(1, of: desk.key, by: Desk.bob)
        #expect(published.info == draft.info)
        #expect(published.isLive)
        #expect(desk.served == String(decoding: Desk.text("one"), as: UTF8.self))
        try await desk.put("two", isDraft: true)
        try await desk.put("three")
        stages = try await desk.documents.history(of: desk.key).map(\.stage)
        #expect(stages == [.live, .draft, .earlier])
        let again = try await desk.documents.publish(3, of: desk.key, by: Desk.bob)
        #expect(again.live == 3)
        for number in [1, 2] {
            let error = await desk.error {
                try await desk.documents.publish(number, of: desk.key, by: Desk.bob)
            }
            guard case .conflict = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    @Test(
        "each roll-back is a new revision with the earlier bytes",
        arguments: StoreKind.allCases
    )
    func rollback(kind: StoreKind) async throws {
        let desk = try Desk(kind)
        let first = try await desk.put("one")
        try await desk.put("two")
        let back = try await desk.documents.rollback(to: 1, of: desk.key, by: Desk.bob)
        #expect(back.info.number == 3)
        #expect(back.info.digest == first.info.digest)
        #expect(back.info.author == "2")
        #expect(desk.served == String(decoding: Desk.text("one"), as: UTF8.self))
        let same = try await desk.documents.rollback(to: 3, of: desk.key, by: Desk.bob)
        #expect(same == back)
        let forward = try await desk.documents.rollback(to: 2, of: desk.key, by: Desk.bob)
        #expect(forward.info.number == 4)
        #expect(desk.served == String(decoding: Desk.text("two"), as: UTF8.self))
    }

    @Test(
        "of two authors with the same base, the second gets an error",
        arguments: StoreKind.allCases
    )
    func preconditions(kind: StoreKind) async throws {
        let desk = try Desk(kind)
        func put(_ word: String, _ expected: ExpectedRevision) async -> BehaviorStoreError? {
            await desk.error {
                try await desk.documents.put(
                    Desk.text(word),
                    as: desk.key,
                    expecting: expected,
                    by: Desk.ada
                )
            }
        }
        #expect(await put("zero", .something) == .changedSince(live: nil))
        #expect(await put("zero", .oneOf([1])) == .changedSince(live: nil))
        #expect(await put("one", .nothing) == nil)
        #expect(await put("one", .nothing) == .changedSince(live: 1))
        #expect(await put("two", .oneOf([1])) == nil)
        #expect(await put("three", .oneOf([1])) == .changedSince(live: 2))
        #expect(await put("three", .oneOf([])) == .changedSince(live: 2))
        #expect(await put("three", .oneOf([1, 2])) == nil)
        #expect(await put("four", .something) == nil)
        let back = await desk.error {
            try await desk.documents.rollback(
                to: 1,
                of: desk.key,
                expecting: .oneOf([3]),
                by: Desk.ada
            )
        }
        #expect(back == .changedSince(live: 4))
        #expect(desk.served == String(decoding: Desk.text("four"), as: UTF8.self))
    }

    @Test(
        "concurrent writers in two processes get different revision numbers",
        arguments: StoreKind.allCases
    )
    func contention(kind: StoreKind) async throws {
        let desk = try Desk(kind)
        let other = try BehaviorDocuments(desk.store.other(), now: { 1_000_000 })
        let key = desk.key
        let documents = desk.documents
        let numbers = try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<20 {
                group.addTask {
                    try await (index % 2 == 0 ? documents : other)
                        .put(Desk.text("w\(index)"), as: key, by: Desk.ada).info.number
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(numbers.sorted() == Array(1...20))
        let winners = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<10 {
                group.addTask {
                    let put = try? await (index % 2 == 0 ? documents : other)
                        .put(
                            Desk.text("x\(index)"),
                            as: key,
                            expecting: .oneOf([20]),
                            by: Desk.ada
                        )
                    return put != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(winners == 1)
        let check = try await AuditCheck(desk.store.backend())
        #expect(check.findings == [])
        #expect(check.count == 21)
    }

    @Test("a long history has pages", arguments: StoreKind.allCases)
    func pages(kind: StoreKind) async throws {
        let desk = try Desk(kind)
        for number in 1...7 { try await desk.put("w\(number)") }
        func page(_ before: Int?, _ limit: Int) async throws -> [Int] {
            try await desk.documents.history(of: desk.key, before: before, limit: limit)
                .map(\.info.number)
        }
        #expect(try await page(nil, 3) == [7, 6, 5])
        #expect(try await page(5, 3) == [4, 3, 2])
        #expect(try await page(2, 3) == [1])
        #expect(try await page(1, 3) == [])
        #expect(try await page(-5, -5) == [])
        #expect(try await page(.max, .max).count == 7)
    }

    @Test(
        "an invalid document is rejected with all its problems and isn't stored",
        arguments: StoreKind.allCases
    )
    func invalid(kind: StoreKind) async throws {
        let desk = try Desk(kind)
        func refusal(_ text: String) async -> BehaviorStoreError? {
            await desk.error {
                try await desk.documents.put(Array(text.utf8), as: desk.key, by: Desk.ada)
            }
        }
        guard case .noJSON = await refusal("[{") else {
            Issue.record("no JSON")
            return
        }
        #expect(
            await refusal(#"[{"name": 1, "actions": []}]"#)
                == .invalid([JSONTypeError(pointer: "/0/name", message: "expected a string")])
        )
        let rules = await refusal(
            #"[{"name": "a", "when": {"huh": 1}, "actions": [{"func": "b", "when": 3}]}]"#
        )
        guard case .invalid(let problems) = rules else {
            Issue.record("\(String(describing: rules))")
            return
        }
        #expect(problems.map(\.pointer) == ["/0/when/huh", "/0/actions/0/when"])
        let long = String(repeating: " ", count: 1 << 20) + "[]"
        guard case .tooMuch = await refusal(long) else {
            Issue.record("too long")
            return
        }
        let message = await desk.error {
            try await desk.documents.put(
                Desk.text("a"),
                as: desk.key,
                message: "a\u{0}b",
                by: Desk.ada
            )
        }
        guard case .invalid(let wrong) = message else {
            Issue.record("\(String(describing: message))")
            return
        }
        #expect(wrong.map(\.pointer) == ["/message"])
        let list = try await desk.documents.documents(in: "production")
        #expect(list.isEmpty)
    }

    @Test(
        "names consist of lowercase letters, digits and hyphens",
        arguments: [
            ("default", true), ("a", true), ("0-1", true),
            (String(repeating: "a", count: 63), true),
            ("", false), ("-a", false), ("A", false), ("a.json", false), ("a/b", false),
            ("..", false),
            ("a b", false), ("ä", false), ("a\u{0}", false),
            (String(repeating: "a", count: 64), false),
        ]
    )
    func names(name: String, isName: Bool) {
        #expect(DocumentKey.isName(name) == isName)
        #expect((DocumentKey(name) != nil) == isName)
        #expect((DocumentKey("a", in: name) != nil) == isName)
    }
}
