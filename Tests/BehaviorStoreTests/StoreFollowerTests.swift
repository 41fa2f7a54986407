import BehaviorStore
import Eventually
import Foundation
import Locking
import Logging
import Testing

/// The served revisions of a store, despite other servers' changes and unreadable data.
@Suite("The served revisions of a store")
struct StoreFollowerTests {
    @Test(
        "a revision that another process publishes is served, also after a restart",
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
        "an unreadable revision is served once it is readable, and blocks no other",
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
        "a committed change is served even if its confirmation was lost",
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
        "a stored schedule fires even if it couldn't be read at first",
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
        "a schedule is retained while an empty store replaces its store",
        arguments: [true, false]
    )
    func replacedStore(whileSchedulesAreRead: Bool) async throws {
        let desk = try Desk(.sqlite)
        let clock = Locked(1_000)
        let isEmptied = Locked(false)
        let isScheduled = Locked(false)
        let live = LiveBehaviors()
        let hooks = HookedBehaviors.Hooks(
            beforeRecords: { kind in
                guard whileSchedulesAreRead, kind == .schedule else { return }
                let isFirst = isScheduled.withLock { isScheduled in
                    defer { isScheduled = false }
                    return isScheduled
                }
                // The head was read already.
                if isFirst { isEmptied.withLock { $0 = true } }
            },
            isEmptied: { isEmptied.withLock { $0 } }
        )
        let documents = try desk.documents(with: hooks, as: live) { clock.withLock { $0 } }
        _ = try await documents.put(Desk.text("one"), as: desk.key, isDraft: true, by: Desk.ada)
        _ = try await documents.schedule(1, of: desk.key, at: 2_000, by: Desk.ada)
        isScheduled.withLock { $0 = true }
        if !whileSchedulesAreRead { isEmptied.withLock { $0 = true } }
        let running = Task { await documents.run() }
        defer { running.cancel() }
        clock.withLock { $0 = 2_000 }
        try await eventually("the store is missed") { documents.loss != nil }
        isEmptied.withLock { $0 = false }
        try await eventually("it is live") {
            // What couldn't be done is tried again some seconds later.
            clock.withLock { $0 += 10 }
            return live["default"]?.revision?.bytes == Desk.text("one")
        }
    }

    @Test(
        "a failing schedule doesn't delay others",
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
        "an unservable live document isn't replaced by the file",
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
            HookedBehaviors(try desk.store.backend(), .init(lost: [desk.key])),
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

    @Test("a server serves its own environment's documents", arguments: StoreKind.allCases)
    func serving(kind: StoreKind) async throws {
        let desk = try Desk(kind)
        try await desk.put("one")
        let banner = try #require(DocumentKey("banner", in: "staging"))
        _ = try await desk.documents.put(Desk.text("staging"), as: banner, by: Desk.bob)
        let live = LiveBehaviors()
        let staging = try BehaviorDocuments(desk.store.backend(), serving: "staging", as: live)
        try staging.begin()
        try await staging.refresh()
        #expect(live["default"] == nil)
        #expect(live["banner"]?.revision?.bytes == Desk.text("staging"))
    }

    @Test(
        "a document's time of going live never goes back, even if the clock does",
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

    @Test("a file is served until the store has that document")
    func file() async throws {
        let path = NSTemporaryDirectory() + "plugboard-file-\(UUID().uuidString).json"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(Desk.text("file")).write(to: URL(fileURLWithPath: path))
        let file = try BehaviorFile(path: path, logger: Logger(label: "test"))
        let live = LiveBehaviors()
        live["default"] = file.live
        let store = try KeptStore(.sqlite)
        let documents = try BehaviorDocuments(store.backend(), as: live, insteadOf: file)
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
}
