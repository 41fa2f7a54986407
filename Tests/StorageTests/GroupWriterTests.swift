import Eventually
import Foundation
import GRDB
import Locking
@testable import Storage
import Testing

/// A database whose writer's thread a test can stop within a write.
private final class Place: Sendable {
    static let notes = Schema("notes") { database in
        try database.execute(
            sql: """
                CREATE TABLE note (text TEXT NOT NULL UNIQUE);
                CREATE TABLE kind (id INTEGER PRIMARY KEY);
                CREATE TABLE link (kind INTEGER REFERENCES kind DEFERRABLE INITIALLY DEFERRED);
                """
        )
    }

    let folder = NSTemporaryDirectory() + "plugboard-groups-\(UUID().uuidString)"
    let storage: Storage

    init() {
        var limits = WriteLimits()
        // The writes share a transaction however slow the machine is.
        limits.groupTime = 60_000
        storage = Storage.of(folder, limits)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func add(_ text: String) async throws -> Int {
        try await storage.write(Self.notes) { try Self.insert(text, $0) }
    }

    /// Adds a note; returns the number of notes that its transaction sees.
    static func insert(_ text: String, _ database: Database) throws -> Int {
        try database.execute(sql: "INSERT INTO note VALUES (?)", arguments: [text])
        return try Int.fetchOne(database, sql: "SELECT count(*) FROM note") ?? 0
    }

    /// The notes in the order of their insertion.
    func notes() async throws -> [String] {
        try await storage.read(Self.notes) {
            try String.fetchAll($0, sql: "SELECT text FROM note ORDER BY rowid")
        } ?? []
    }

    /// Runs `body` while a write holds the writer's thread, and returns after that write's end.
    func whileBusy(
        with last: @escaping @Sendable (Database) throws -> Void = { _ in },
        _ body: () async throws -> Void
    ) async throws {
        let gate = DispatchSemaphore(value: 0)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        async let held: Void = storage.write(Self.notes) { database in
            begin.finish()
            // Open from now on: the write may run a second time.
            gate.wait()
            gate.signal()
            try last(database)
        }
        for await _ in begun {}
        do {
            try await body()
        } catch {
            gate.signal()
            throw error
        }
        gate.signal()
        try await held
    }

    /// Starts a write, and returns after it waits in the queue.
    func enqueue<Value: Sendable>(
        _ write: @escaping @Sendable () async throws -> Value
    ) async throws -> Task<Value, any Error> {
        let before = storage.writes.waitingCount
        let task = Task { try await write() }
        try await eventually("the write waits") { self.storage.writes.waitingCount > before }
        return task
    }

    func enqueue(
        _ body: @escaping @Sendable (Database) throws -> Int
    ) async throws -> Task<Int, any Error> {
        try await enqueue { try await self.storage.write(Self.notes, body) }
    }

}

@Suite("Writes in groups", .timeLimit(.minutes(2)))
struct GroupWriterTests {
    @Test("writes that wait together share a commit, and each has its own result")
    func shared() async throws {
        let place = Place()
        _ = try await place.add("first")
        let before = place.storage.commitCount
        var tasks: [Task<Int, any Error>] = []
        try await place.whileBusy {
            for number in 0..<10 {
                tasks.append(try await place.enqueue { try Place.insert("\(number)", $0) })
            }
        }
        var results: [Int] = []
        for task in tasks { results.append(try await task.value) }
        #expect(results == Array(2...11))
        // The held write began the transaction that the others joined.
        #expect(place.storage.commitCount == before + 1)
    }

    @Test("writes run in the order of their calls")
    func order() async throws {
        let place = Place()
        var tasks: [Task<Int, any Error>] = []
        try await place.whileBusy {
            for number in 0..<20 {
                tasks.append(try await place.enqueue { try Place.insert("\(number)", $0) })
            }
        }
        for task in tasks { _ = try await task.value }
        #expect(try await place.notes() == (0..<20).map(String.init))
    }

    @Test("a caller continues only after the commit: another connection sees its change")
    func committed() async throws {
        let place = Place()
        let other = Storage.of(place.folder + "/.")
        for number in 1...20 {
            _ = try await place.add("\(number)")
            let count = try await other.read(Place.notes) {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM note")
            }
            #expect(count == number)
        }
    }

    private struct Wrong: Error, Equatable { let number: Int }

    @Test("a write's error is its own: its changes are undone, the others' stay")
    func failing() async throws {
        let place = Place()
        var tasks: [Task<Int, any Error>] = []
        try await place.whileBusy {
            for number in 0..<9 {
                tasks.append(
                    try await place.enqueue { database in
                        let count = try Place.insert("\(number)", database)
                        if number % 3 == 1 { throw Wrong(number: number) }
                        return count
                    }
                )
            }
            tasks.append(try await place.enqueue { try Place.insert("0", $0) })
        }
        for (number, task) in tasks.enumerated() {
            switch await task.result {
            case .success: #expect(number % 3 != 1)
            case .failure(let error as Wrong): #expect(error == Wrong(number: number))
            case .failure(let error as DatabaseError):
                #expect(number == 9 && error.resultCode == .SQLITE_CONSTRAINT)
            case .failure(let error): Issue.record(error)
            }
        }
        #expect(try await place.notes() == ["0", "2", "3", "5", "6", "8"])
    }

    @Test("the first write's error doesn't affect those that wait")
    func firstFails() async throws {
        let place = Place()
        var task: Task<Int, any Error>?
        await #expect(throws: Wrong(number: 0)) {
            try await place.whileBusy(with: { database in
                _ = try Place.insert("undone", database)
                throw Wrong(number: 0)
            }) {
                task = try await place.enqueue { try Place.insert("a", $0) }
            }
        }
        #expect(try await task?.value == 1)
        #expect(try await place.notes() == ["a"])
    }

    @Test(
        "a write that ends the shared transaction fails alone, and the others are written once",
        arguments: [
            "INSERT OR ROLLBACK INTO note VALUES ('0')", "ROLLBACK", "COMMIT",
            "RELEASE SAVEPOINT plugboard",
        ]
    )
    func breaking(sql: String) async throws {
        let place = Place()
        var tasks: [Task<Int, any Error>] = []
        try await place.whileBusy {
            for number in 0..<3 {
                tasks.append(try await place.enqueue { try Place.insert("\(number)", $0) })
            }
            tasks.append(
                try await place.enqueue { database in
                    try database.execute(sql: sql)
                    return 0
                }
            )
            tasks.append(try await place.enqueue { try Place.insert("last", $0) })
        }
        for (number, task) in tasks.enumerated() {
            let result = await task.result
            if number == 3 {
                #expect(throws: DatabaseError.self, "\(sql)") { try result.get() }
            } else {
                #expect(throws: Never.self, "\(sql), \(number)") { try result.get() }
            }
        }
        #expect(try await place.notes().sorted() == ["0", "1", "2", "last"])
        _ = try await place.add("later")
    }

    @Test("a transaction's end within a write makes all its later statements fail")
    func afterEnd() async throws {
        let place = Place()
        await #expect(throws: DatabaseError.self) {
            try await place.storage.write(Place.notes) { database in
                try? database.execute(sql: "ROLLBACK")
                _ = try Place.insert("outside of a transaction", database)
            }
        }
        #expect(try await place.notes() == [])
    }

    @Test("a deferred constraint that fails the commit fails its own write only")
    func deferred() async throws {
        let place = Place()
        var tasks: [Task<Int, any Error>] = []
        try await place.whileBusy {
            for number in 0..<4 {
                tasks.append(
                    try await place.enqueue { database in
                        if number == 2 { try database.execute(sql: "INSERT INTO link VALUES (7)") }
                        return try Place.insert("\(number)", database)
                    }
                )
            }
        }
        for (number, task) in tasks.enumerated() {
            let result = await task.result
            if number == 2 {
                let error = #expect(throws: DatabaseError.self) { try result.get() }
                #expect(error?.resultCode == .SQLITE_CONSTRAINT)
            } else {
                #expect(throws: Never.self) { try result.get() }
            }
        }
        #expect(try await place.notes() == ["0", "1", "3"])
    }

    @Test("the completion runs after the commit, in the order of the writes, and not for an error")
    func completion() async throws {
        let place = Place()
        let seen = Locked<[Int]>([])
        let other = Storage.of(place.folder + "/.")
        var tasks: [Task<Int, any Error>] = []
        try await place.whileBusy {
            for number in 0..<6 {
                tasks.append(
                    try await place.enqueue {
                        try await place.storage.write(Place.notes) { database in
                            _ = try Place.insert("\(number)", database)
                            if number == 3 { throw Wrong(number: 3) }
                            return number
                        } then: { number in
                            let stored = try? other.readNow(Place.notes) {
                                try Int.fetchOne($0, sql: "SELECT count(*) FROM note")
                            }
                            #expect(stored == 5)
                            seen.withLock { $0.append(number) }
                            return number * 10
                        }
                    }
                )
            }
        }
        for (number, task) in tasks.enumerated() where number != 3 {
            #expect(try await task.value == number * 10)
        }
        await #expect(throws: Wrong(number: 3)) { try await tasks[3].value }
        #expect(seen.withLock { $0 } == [0, 1, 2, 4, 5])
    }

    @Test("a cancelled write that waits is removed at once, and changes nothing")
    func cancelled() async throws {
        let place = Place()
        var kept: Task<Int, any Error>?
        try await place.whileBusy {
            let task = try await place.enqueue { try Place.insert("cancelled", $0) }
            kept = try await place.enqueue { try Place.insert("kept", $0) }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(place.storage.writes.waitingCount == 1)
        }
        #expect(try await kept?.value == 1)
        #expect(try await place.notes() == ["kept"])
    }

    @Test("a cancelled task doesn't begin a write")
    func cancelledBefore() async throws {
        let place = Place()
        let (stream, gate) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for await _ in stream {}
            return try await place.add("a")
        }
        task.cancel()
        gate.finish()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(!FileManager.default.fileExists(atPath: place.folder))
    }

    @Test("a write that has begun is completed although its task is cancelled")
    func cancelledWithin() async throws {
        let place = Place()
        let gate = DispatchSemaphore(value: 0)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            try await place.storage.write(Place.notes) { database in
                begin.finish()
                gate.wait()
                return try Place.insert("a", database)
            }
        }
        for await _ in begun {}
        task.cancel()
        gate.signal()
        #expect(try await task.value == 1)
        #expect(try await place.notes() == ["a"])
    }

    @Test("a write from within a write of the same database is an error")
    func nested() async throws {
        let place = Place()
        let inner = try await place.storage.write(Place.notes) { _ in
            Task { try await place.add("a") }
        }
        let error = await #expect(throws: StorageError.self) { try await inner.value }
        #expect(error?.reason.hasPrefix("a write to \(place.storage.path) began another") == true)
        #expect(error?.isBusy == false)
        let detached = try await place.storage.write(Place.notes) { _ in
            Task.detached { try await place.add("b") }
        }
        #expect(try await detached.value == 1)
    }

    @Test("within a write another database can be read and written, and this one read")
    func otherDatabase() async throws {
        let (place, other) = (Place(), Place())
        _ = try await place.add("a")
        let (count, task) = try await place.storage.write(Place.notes) { database in
            _ = try Place.insert("b", database)
            let count = try place.storage.readNow(Place.notes) {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM note")
            }
            return (count, Task { try await other.add("c") })
        }
        #expect(count == 1)
        #expect(try await task.value == 1)
    }
}
