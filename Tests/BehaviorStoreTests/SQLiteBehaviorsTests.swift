import BehaviorStore
import Eventually
import Foundation
import GRDB
import Locking
import Storage
import TestDatabase
import Testing

@Suite("Behavior documents in SQLite")
struct SQLiteBehaviorsTests {
    private let desk: Desk
    private var path: String { desk.store.folder + "/" + Storage.fileName }

    init() throws { desk = try Desk(.sqlite) }

    @Test("where another process writes for long, those who change something may try again")
    func busy() async throws {
        try await desk.put("one")
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try await queue.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        #expect(await desk.error { try await desk.put("two") } == .busy)
        try await queue.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        #expect(try await desk.put("two").info.number == 2)
    }

    @Test("another file that has nothing is no other history")
    func emptied() async throws {
        try await desk.put("one")
        let other = try Desk(.sqlite)
        let moved = desk.store.folder + "-moved"
        _ = try await Storage.of(other.store.folder).write(Schema("none", sql: "")) { _ in 0 }
        // The folders change places, so that each file keeps its log.
        try FileManager.default.moveItem(atPath: desk.store.folder, toPath: moved)
        defer { try? FileManager.default.removeItem(atPath: moved) }
        try FileManager.default.moveItem(atPath: other.store.folder, toPath: desk.store.folder)
        let errors = [
            await desk.error { try await desk.documents.refresh().count },
            await desk.error { try await desk.put("two") },
        ]
        for error in errors {
            #expect(error == .unavailable("the store was emptied"))
        }
        #expect(desk.documents.loss == "the store was emptied")
        #expect(desk.served == String(decoding: Desk.text("one"), as: UTF8.self))
    }

    @Test(
        "what comes due while another file is in the store's place goes live when the store is back"
    )
    func dueMeanwhile() async throws {
        let clock = Locked(1_000)
        let desk = try Desk(.sqlite) { clock.withLock { $0 } }
        let folder = desk.store.folder
        let (other, foreign) = (folder + "-away", folder + "-foreign")
        defer { try? FileManager.default.removeItem(atPath: other) }
        try FileManager.default.createDirectory(atPath: foreign, withIntermediateDirectories: false)
        // Made elsewhere: in the store's place it would be opened while it is being made.
        try await DatabaseQueue.beside(foreign + "/" + Storage.fileName).write {
            try $0.execute(sql: "CREATE TABLE a (b)")
        }
        try await desk.put("one")
        try await desk.put("two", isDraft: true)
        _ = try await desk.documents.schedule(2, of: desk.key, at: 2_000, by: Desk.ada)
        try await desk.documents.refresh()
        let running = Task { await desk.documents.run() }
        defer { running.cancel() }
        try FileManager.default.moveItem(atPath: folder, toPath: other)
        try FileManager.default.moveItem(atPath: foreign, toPath: folder)
        clock.withLock { $0 = 2_000 }
        try await eventually("the store is missed") { desk.documents.loss != nil }
        try FileManager.default.removeItem(atPath: folder)
        try FileManager.default.moveItem(atPath: other, toPath: folder)
        try await eventually("it is live") {
            // What couldn't be done is tried again some seconds later.
            clock.withLock { $0 += 10 }
            return desk.served == String(decoding: Desk.text("two"), as: UTF8.self)
        }
    }

    @Test("a schedule stays known if the store is replaced while the schedules are read")
    func replacedMeanwhile() async throws {
        let clock = Locked(1_000)
        let desk = try Desk(.sqlite)
        let folder = desk.store.folder
        let (other, foreign) = (folder + "-away", folder + "-foreign")
        defer { try? FileManager.default.removeItem(atPath: other) }
        try FileManager.default.createDirectory(atPath: foreign, withIntermediateDirectories: false)
        try await DatabaseQueue.beside(foreign + "/" + Storage.fileName).write {
            try $0.execute(sql: "CREATE TABLE a (b)")
        }
        let isReplaced = Locked(true)
        let live = LiveBehaviors()
        let hooks = HookedBehaviors.Hooks(beforeRecords: { kind in
            guard kind == .schedule else { return }
            let isFirst = isReplaced.withLock { isReplaced in
                defer { isReplaced = true }
                return !isReplaced
            }
            guard isFirst else { return }
            try FileManager.default.moveItem(atPath: folder, toPath: other)
            try FileManager.default.moveItem(atPath: foreign, toPath: folder)
        })
        let documents = try desk.documents(with: hooks, as: live) { clock.withLock { $0 } }
        _ = try await documents.put(Desk.text("one"), as: desk.key, isDraft: true, by: Desk.ada)
        _ = try await documents.schedule(1, of: desk.key, at: 2_000, by: Desk.ada)
        isReplaced.withLock { $0 = false }
        let running = Task { await documents.run() }
        defer { running.cancel() }
        try await eventually("the store is missed") { documents.loss != nil }
        try FileManager.default.removeItem(atPath: folder)
        try FileManager.default.moveItem(atPath: other, toPath: folder)
        try await eventually("it is live") {
            clock.withLock { $0 += 2_000 }
            return live["default"]?.revision?.bytes == Desk.text("one")
        }
    }

    @Test("a missing file is no empty store: live revisions stay live")
    func away() async throws {
        try await desk.put("one")
        let folder = desk.store.folder
        let other = folder + "-away"
        defer { try? FileManager.default.removeItem(atPath: other) }
        try FileManager.default.moveItem(atPath: folder, toPath: other)
        for _ in 0..<2 {
            let errors = [
                await desk.error { try await desk.documents.refresh().count },
                await desk.error { try await desk.put("two") },
            ]
            for error in errors {
                guard case .unavailable(let reason) = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
                #expect(reason.hasSuffix("is unavailable"))
            }
            #expect(desk.documents.backend.loss?.hasSuffix("is unavailable") == true)
        }
        #expect(desk.served == String(decoding: Desk.text("one"), as: UTF8.self))
        try FileManager.default.moveItem(atPath: other, toPath: folder)
        #expect(desk.documents.backend.loss == nil)
        #expect(try await desk.put("two").info.number == 2)
        #expect(try await desk.findings() == [])
    }
}
