import Dispatch
import Eventually
import Foundation
import GRDB
import Glibc
@testable import Storage
import Testing

@Suite("The limits of a database's writes", .timeLimit(.minutes(2)))
final class WriteLimitsTests {
    private let folder = NSTemporaryDirectory() + "plugboard-limits-\(UUID().uuidString)"
    private static let notes = Schema("notes", sql: "CREATE TABLE note (text TEXT NOT NULL)")

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private static func add(_ text: String, to storage: Storage) async throws {
        try await storage.write(notes) {
            try $0.execute(sql: "INSERT INTO note VALUES (?)", arguments: [text])
        }
    }

    private func count(_ storage: Storage) async throws -> Int {
        try await storage.read(Self.notes) {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM note") ?? 0
        } ?? 0
    }

    /// Enqueues `count` writes while one holds the thread for `milliseconds` after that.
    private func enqueue(
        _ count: Int,
        in storage: Storage,
        holdingFor milliseconds: Int = 0,
        beyond: (() async throws -> Void)? = nil
    ) async throws {
        let gate = DispatchSemaphore(value: 0)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await storage.write(Self.notes) { _ in
                    begin.finish()
                    gate.wait()
                    usleep(UInt32(milliseconds * 1_000))
                }
            }
            for await _ in begun {}
            for number in 0..<count {
                group.addTask { try await Self.add("\(number)", to: storage) }
            }
            try await eventually("all writes wait") { storage.writes.waitingCount == count }
            do { try await beyond?() } catch { Issue.record(error) }
            gate.signal()
            try await group.waitForAll()
        }
    }

    @Test("beyond the limit of waiting writes a write fails at once, and may be repeated later")
    func waiting() async throws {
        var limits = WriteLimits()
        limits.waiting = 8
        let storage = Storage.of(folder, limits)
        try await Self.add("first", to: storage)
        try await enqueue(8, in: storage) {
            let error = await #expect(throws: StorageError.self) {
                try await Self.add("too many", to: storage)
            }
            #expect(error?.reason == "8 writes to \(storage.path) wait; try again later")
            #expect(error?.isBusy == true)
        }
        try await Self.add("later", to: storage)
        #expect(try await count(storage) == 10)
    }

    @Test("a cancelled write frees its place")
    func freed() async throws {
        var limits = WriteLimits()
        limits.waiting = 3
        let storage = Storage.of(folder, limits)
        try await Self.add("first", to: storage)
        try await enqueue(2, in: storage) {
            for _ in 0..<20 {
                let task = Task { try await Self.add("cancelled", to: storage) }
                try await eventually("the write waits") { storage.writes.waitingCount == 3 }
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
            }
        }
        #expect(try await count(storage) == 3)
    }

    @Test("a transaction has at most the limit of writes")
    func group() async throws {
        var limits = WriteLimits()
        limits.group = 5
        limits.groupTime = 60_000
        let storage = Storage.of(folder, limits)
        try await Self.add("first", to: storage)
        let before = storage.commitCount
        try await enqueue(14, in: storage)
        #expect(storage.commitCount == before + 3)
    }

    @Test("a slow write ends its transaction: those behind it have the next one")
    func slow() async throws {
        var limits = WriteLimits()
        limits.groupTime = 20
        let storage = Storage.of(folder, limits)
        try await Self.add("first", to: storage)
        let before = storage.commitCount
        try await enqueue(3, in: storage, holdingFor: 40)
        #expect(storage.commitCount >= before + 2)
    }

    @Test("writes of a schema that is missing have another transaction")
    func schemas() async throws {
        let storage = Storage.of(folder)
        let marks = Schema("marks", sql: "CREATE TABLE mark (number INTEGER)")
        try await Self.add("first", to: storage)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask { try await Self.add("\(number)", to: storage) }
                group.addTask {
                    try await storage.write(marks) {
                        try $0.execute(sql: "INSERT INTO mark VALUES (\(number))")
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await count(storage) == 41)
        let stored = try await storage.read(marks) {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM mark")
        }
        #expect(stored == 40)
    }

    @Test("writes that wait for another process's lock fail together after 5 seconds")
    func locked() async throws {
        let storage = Storage.of(folder)
        try await Self.add("first", to: storage)
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: storage.path, configuration: configuration)
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        let start = ContinuousClock.now
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    let error = await #expect(throws: StorageError.self) {
                        try await Self.add("\(number)", to: storage)
                    }
                    #expect(error?.isBusy == true)
                }
            }
        }
        #expect(ContinuousClock.now - start < .seconds(30))
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        try await Self.add("later", to: storage)
        #expect(try await count(storage) == 2)
    }

    @Test("on a full disk a write fails alone, and later writes succeed when there is room")
    func full() async throws {
        let storage = Storage.of(folder)
        try await Self.add("first", to: storage)
        let pages = try await storage.write(Self.notes) { database in
            let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            try database.execute(sql: "PRAGMA max_page_count = \(pages + 2)")
            return pages
        }
        let results = try await withThrowingTaskGroup(of: (Int, StorageError?).self) { group in
            for number in 0..<30 {
                let text = number == 10 ? String(repeating: "x", count: 100_000) : "\(number)"
                group.addTask {
                    do {
                        try await Self.add(text, to: storage)
                        return (number, nil)
                    } catch let error as StorageError {
                        return (number, error)
                    }
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(results.keys.sorted() == [10])
        #expect(results[10]?.reason.contains("full") == true)
        #expect(results[10]?.isBusy == false)
        #expect(try await count(storage) == 30)
        try await storage.write(Self.notes) {
            try $0.execute(sql: "PRAGMA max_page_count = \(pages + 1_000)")
        }
        try await Self.add(String(repeating: "x", count: 100_000), to: storage)
        #expect(try await count(storage) == 31)
    }

    @Test("two processes write to one file, and no write is lost")
    func twoProcesses() async throws {
        let (one, other) = (Storage.of(folder), Storage.of(folder + "/."))
        try await Self.add("first", to: one)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                let storage = number.isMultiple(of: 2) ? one : other
                group.addTask { try await Self.add("\(number)", to: storage) }
            }
            try await group.waitForAll()
        }
        #expect(try await count(one) == 201)
        #expect(try await count(other) == 201)
    }

    @Test("the writer's thread ends with the last reference, and the file closes")
    func closed() async throws {
        weak var last: Storage?
        do {
            let storage = Storage.of(folder)
            last = storage
            try await Self.add("a", to: storage)
        }
        try await eventually("the storage is gone") { last == nil }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names == ["plugboard.sqlite"])
    }
}
