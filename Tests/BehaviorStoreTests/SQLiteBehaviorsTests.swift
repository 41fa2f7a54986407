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

    @Test("a change during another process's long write fails as busy and can be retried")
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

    @Test("an empty file in the store's place is reported as an emptied store")
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

    @Test("a missing file isn't an empty store: live revisions stay live")
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
