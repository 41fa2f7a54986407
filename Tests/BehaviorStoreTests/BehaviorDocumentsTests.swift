import BehaviorStore
import Eventually
import Foundation
import JSONCodec
import Locking
import Logging
import Testing

/// The rules, wherever the documents are kept.
@Suite("The behavior documents of a store")
struct BehaviorDocumentsTests {
    @Test("a store where nothing was put has nothing", arguments: StoreKind.allCases)
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
        "what is put is the next revision, byte by byte, and is served",
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

    @Test("names and environments have revisions of their own", arguments: StoreKind.allCases)
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
        "any name is an environment's and a document's, also one that the store might use itself",
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

    @Test("a draft is out of sight until it is published", arguments: StoreKind.allCases)
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
        "rolling back is a revision of the same bytes, any number of times",
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
        "of two who have seen the same the second is told, and nothing is lost",
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
        "of many at the same moment, in two processes, each has a number",
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
        let check = try await AuditCheck(desk.store.keeping())
        #expect(check.findings == [])
        #expect(check.count == 21)
    }

    @Test(
        "what another process publishes is served here, and what was is after a restart",
        arguments: StoreKind.allCases
    )
    func others(kind: StoreKind) async throws {
        let desk = try Desk(kind)
        try await desk.put("one")
        let otherLive = LiveBehaviors()
        let other = try BehaviorDocuments(desk.store.other(), as: otherLive, now: { 1_000_000 })
        try other.begin()
        let live = try #require(otherLive["default"])
        #expect(live.revision?.bytes == Desk.text("one"))
        let watching = Task { await other.run() }
        defer { watching.cancel() }
        try await desk.put("two")
        try await eventually("two is live") { live.revision?.bytes == Desk.text("two") }
        let startedLive = LiveBehaviors()
        let started = try BehaviorDocuments(desk.store.other(), as: startedLive)
        try started.begin()
        #expect(startedLive["default"]?.revision?.bytes == Desk.text("two"))
        // Its own change and what it hadn't seen yet are both served.
        let banner = try #require(DocumentKey("banner"))
        _ = try await started.put(Desk.text("three"), as: banner, by: Desk.bob)
        try await other.refresh()
        #expect(otherLive["banner"]?.revision?.bytes == Desk.text("three"))
    }

    @Test(
        "what another process publishes is served as soon as it can be read, and holds nothing else up",
        arguments: StoreKind.allCases
    )
    func unreadable(kind: StoreKind) async throws {
        struct Unreadable: Error {}
        let desk = try Desk(kind)
        let banner = try #require(DocumentKey("banner"))
        let isLocked = Locked(true)
        let live = LiveBehaviors()
        let hooks = HookedBehaviors.Hooks(beforeRevision: { key in
            if key == banner, isLocked.withLock({ $0 }) { throw Unreadable() }
        })
        let other = BehaviorDocuments(
            HookedBehaviors(try desk.store.other(), hooks),
            as: live,
            logger: KeptStore.quiet
        )
        let watching = Task { await other.run() }
        defer { watching.cancel() }
        _ = try await desk.documents.put(Desk.text("one"), as: banner, by: Desk.bob)
        try await desk.put("two")
        try await eventually("what can be read is served") { live["default"] != nil }
        #expect(try await other.refresh().first is Unreadable)
        #expect(live["banner"] == nil)
        isLocked.withLock { $0 = false }
        try await eventually("the rest is served") {
            live["banner"]?.revision?.bytes == Desk.text("one")
        }
    }

    @Test(
        "a change that is kept, though the answer that it is was lost, is served",
        arguments: StoreKind.allCases
    )
    func lostAnswer(kind: StoreKind) async throws {
        struct Lost: Error {}
        let desk = try Desk(kind)
        let isLost = Locked(false)
        let live = LiveBehaviors()
        let hooks = HookedBehaviors.Hooks(behindCommit: {
            if isLost.withLock({ $0 }) { throw Lost() }
        })
        let documents = try desk.documents(with: hooks, as: live)
        let running = Task { await documents.run() }
        defer { running.cancel() }
        _ = try await documents.put(Desk.text("one"), as: desk.key, by: Desk.ada)
        isLost.withLock { $0 = true }
        await #expect(throws: Lost.self) {
            try await documents.put(Desk.text("two"), as: desk.key, by: Desk.ada)
        }
        try await eventually("it is served") {
            live["default"]?.revision?.bytes == Desk.text("two")
        }
    }

    @Test(
        "a schedule that is kept fires, though it couldn't be read at once",
        arguments: StoreKind.allCases
    )
    func unreadSchedule(kind: StoreKind) async throws {
        struct Unreadable: Error {}
        let desk = try Desk(kind)
        let clock = Locked(1_000)
        let left = Locked(0)
        let isScheduling = Locked(false)
        let live = LiveBehaviors()
        let hooks = HookedBehaviors.Hooks(
            beforeRecords: { kind in
                guard kind == .schedule else { return }
                let isLost = left.withLock { left in
                    left -= 1
                    return left == 0
                }
                if isLost { throw Unreadable() }
            },
            // The look that follows upon the schedule's commit is the one that fails.
            behindCommit: { if isScheduling.withLock({ $0 }) { left.withLock { $0 = 1 } } }
        )
        let documents = try desk.documents(with: hooks, as: live) { clock.withLock { $0 } }
        _ = try await documents.put(Desk.text("one"), as: desk.key, by: Desk.ada)
        _ = try await documents.put(Desk.text("two"), as: desk.key, isDraft: true, by: Desk.ada)
        let running = Task { await documents.run() }
        defer { running.cancel() }
        isScheduling.withLock { $0 = true }
        _ = try await documents.schedule(2, of: desk.key, at: 2_000, by: Desk.ada)
        isScheduling.withLock { $0 = false }
        clock.withLock { $0 = 2_000 }
        try await eventually("it is live") {
            live["default"]?.revision?.bytes == Desk.text("two")
        }
    }

    @Test(
        "a schedule that can't be done yet keeps no other from its time",
        arguments: StoreKind.allCases
    )
    func delayedSchedule(kind: StoreKind) async throws {
        struct Unreadable: Error {}
        let desk = try Desk(kind)
        let clock = Locked(1_000)
        let tries = Locked(0)
        let bad = try #require(DocumentKey("bad"))
        let live = LiveBehaviors()
        let hooks = HookedBehaviors.Hooks(beforeRevision: { key in
            guard key == bad, clock.withLock({ $0 >= 2_000 }) else { return }
            tries.withLock { $0 += 1 }
            throw Unreadable()
        })
        let documents = try desk.documents(with: hooks, as: live) { clock.withLock { $0 } }
        for (key, time) in [(bad, 2_000), (desk.key, 2_001)] {
            _ = try await documents.put(Desk.text("one"), as: key, isDraft: true, by: Desk.ada)
            _ = try await documents.schedule(1, of: key, at: time, by: Desk.ada)
        }
        let running = Task { await documents.run() }
        defer { running.cancel() }
        clock.withLock { $0 = 2_000 }
        try await eventually("the one is tried") { tries.withLock { $0 } > 0 }
        clock.withLock { $0 = 2_001 }
        try await eventually("the other is live") { live["default"] != nil }
        #expect(live["bad"] == nil)
    }

    @Test(
        "what is live of the store and can't be served has nothing in its place, no file either",
        arguments: StoreKind.allCases
    )
    func unservable(kind: StoreKind) async throws {
        let path = NSTemporaryDirectory() + "plugboard-file-\(UUID().uuidString).json"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(Desk.text("file")).write(to: URL(fileURLWithPath: path))
        let file = try BehaviorFile(path: path, logger: KeptStore.quiet)
        let desk = try Desk(kind)
        let banner = try #require(DocumentKey("banner"))
        try await desk.put("one")
        _ = try await desk.documents.put(Desk.text("banner"), as: banner, by: Desk.bob)
        let live = LiveBehaviors()
        live["default"] = file.live
        let documents = BehaviorDocuments(
            HookedBehaviors(try desk.store.keeping(), .init(lost: [desk.key])),
            as: live,
            insteadOf: file,
            logger: KeptStore.quiet
        )
        try documents.begin()
        #expect(file.live.revision == nil && !file.refresh())
        #expect(live["banner"]?.revision?.bytes == Desk.text("banner"))
        try await documents.refresh()
        #expect(file.live.revision?.bytes == Desk.text("one"))
    }

    @Test("a server of another environment serves that one's", arguments: StoreKind.allCases)
    func serving(kind: StoreKind) async throws {
        let desk = try Desk(kind)
        try await desk.put("one")
        let banner = try #require(DocumentKey("banner", in: "staging"))
        _ = try await desk.documents.put(Desk.text("staging"), as: banner, by: Desk.bob)
        let live = LiveBehaviors()
        let staging = try BehaviorDocuments(desk.store.keeping(), serving: "staging", as: live)
        try staging.begin()
        try await staging.refresh()
        #expect(live["default"] == nil)
        #expect(live["banner"]?.revision?.bytes == Desk.text("staging"))
    }

    @Test("a long history is given page by page", arguments: StoreKind.allCases)
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
        "what is no document is refused with all that is wrong, and nothing is kept",
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
        "the time that something went live never goes back, whatever the clock does",
        arguments: StoreKind.allCases
    )
    func time(kind: StoreKind) async throws {
        let clock = Locked(2_000)
        let desk = try Desk(kind) { clock.withLock { $0 } }
        try await desk.put("one")
        clock.withLock { $0 = 1_000 }
        try await desk.put("two", isDraft: true)
        _ = try await desk.documents.publish(2, of: desk.key, by: Desk.ada)
        let state = try await desk.documents.documents(in: "production").first
        #expect(state?.since == 2_000)
        #expect(desk.live["default"]?.revision?.lastModified == 2_000)
    }

    @Test("what a file says is served until the store has that document, and no longer")
    func file() async throws {
        let path = NSTemporaryDirectory() + "plugboard-file-\(UUID().uuidString).json"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(Desk.text("file")).write(to: URL(fileURLWithPath: path))
        let file = try BehaviorFile(path: path, logger: Logger(label: "test"))
        let live = LiveBehaviors()
        live["default"] = file.live
        let store = try KeptStore(.sqlite)
        let documents = try BehaviorDocuments(store.keeping(), as: live, insteadOf: file)
        try documents.begin()
        let key = try #require(DocumentKey("default"))
        _ = try await documents.put(Desk.text("draft"), as: key, isDraft: true, by: Desk.ada)
        #expect(file.live.revision?.bytes == Desk.text("file"))
        _ = try await documents.put(Desk.text("store"), as: key, by: Desk.ada)
        #expect(file.live.revision?.bytes == Desk.text("store"))
        try Data(Desk.text("edited")).write(to: URL(fileURLWithPath: path))
        #expect(!file.refresh())
        #expect(live["default"]?.revision?.bytes == Desk.text("store"))
    }

    @Test(
        "names are small letters, digits and hyphens",
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
