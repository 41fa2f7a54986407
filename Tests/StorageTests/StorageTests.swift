import Foundation
import GRDB
import Storage
import TestDatabase
import Testing

@Suite("The database of a data folder")
struct StorageTests {
    private let folder = NSTemporaryDirectory() + "plugboard-storage-\(UUID().uuidString)"
    private var path: String { folder + "/plugboard.sqlite" }

    private static let notes = Schema("notes", sql: "CREATE TABLE note (text TEXT NOT NULL)")
    private static let marks = Schema("marks", sql: "CREATE TABLE mark (number INTEGER)")

    private func add(_ text: String, to storage: Storage) async throws {
        try await storage.write(Self.notes) { database in
            try database.execute(sql: "INSERT INTO note VALUES (?)", arguments: [text])
        }
    }

    private func texts(in storage: Storage) async throws -> [String]? {
        try await storage.read(Self.notes) { try String.fetchAll($0, sql: "SELECT text FROM note") }
    }

    @Test("a read without a file returns nothing, and creates neither file nor folder")
    func nothing() async throws {
        let storage = Storage.of(folder)
        try storage.check()
        let read = try await texts(in: storage)
        let now = try storage.readNow(Self.notes) { try Int.fetchOne($0, sql: "SELECT 1") }
        #expect(read == nil)
        #expect(now == nil)
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test("the first write creates the file, readable only by its owner")
    func first() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let storage = Storage.of(folder)
        try await add("a", to: storage)
        let read = try await texts(in: storage)
        #expect(read == ["a"])
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        try storage.check()
    }

    @Test("a file that is being created isn't unavailable")
    func beingMade() async throws {
        for _ in 0..<20 {
            let folder = NSTemporaryDirectory() + "plugboard-storage-\(UUID().uuidString)"
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let storage = Storage.of(folder)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        while try !storage.isThere() {
                            #expect(storage.loss == nil)
                            await Task.yield()
                        }
                    }
                }
                try await add("a", to: storage)
                try await group.waitForAll()
            }
        }
    }

    @Test("a completed write is on disk: WAL with full synchronization")
    func synced() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let pragmas = try await Storage.of(folder).write(Self.notes) { database in
            (
                try String.fetchOne(database, sql: "PRAGMA journal_mode"),
                try Int.fetchOne(database, sql: "PRAGMA synchronous")
            )
        }
        #expect(pragmas.0 == "wal")
        #expect(pragmas.1 == 2)
    }

    @Test("each schema is created at its first use, and doesn't affect others")
    func schemas() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let storage = Storage.of(folder)
        try await add("a", to: storage)
        let none = try await storage.read(Self.marks) {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM mark")
        }
        #expect(none == 0)
        let read = try await texts(in: storage)
        #expect(read == ["a"])
    }

    @Test("creating a schema doesn't wait for readers", .timeLimit(.minutes(1)))
    func schemaAmongReaders() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let storage = Storage.of(folder)
        try await add("a", to: storage)
        let gate = DispatchSemaphore(value: 0)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        async let read: Int? = storage.read(Self.notes) { _ in
            begin.yield()
            gate.wait()
            return 1
        }
        for await _ in begun { break }
        try await storage.write(Self.marks) { try $0.execute(sql: "INSERT INTO mark VALUES (1)") }
        gate.signal()
        #expect(try await read == 1)
        let marks = try await storage.read(Self.marks) {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM mark")
        }
        #expect(marks == 1)
    }

    @Test(
        "a blocking read doesn't wait for other readers",
        .timeLimit(.minutes(1))
    )
    func nowAmongReaders() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let storage = Storage.of(folder)
        try await add("a", to: storage)
        let gate = DispatchSemaphore(value: 0)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    _ = try await storage.read(Self.notes) { _ in
                        begin.yield()
                        gate.wait()
                    }
                }
            }
            var readers = 0
            for await _ in begun {
                readers += 1
                if readers == 4 { break }
            }
            let now = try storage.readNow(Self.notes) {
                try String.fetchAll($0, sql: "SELECT text FROM note")
            }
            #expect(now == ["a"])
            for _ in 0..<4 { gate.signal() }
            try await group.waitForAll()
        }
    }

    @Test("a process has one storage per folder")
    func shared() {
        let storage = Storage.of(folder)
        #expect(storage === Storage.of(folder))
        #expect(storage !== Storage.of(folder + "-other"))
    }

    @Test("a moved file is unavailable, and no new file is created")
    func away() async throws {
        let other = folder + "-away"
        defer { for path in [folder, other] { try? FileManager.default.removeItem(atPath: path) } }
        let storage = Storage.of(folder)
        #expect(storage.loss == nil)
        try await add("a", to: storage)
        #expect(storage.loss == nil)
        try FileManager.default.moveItem(atPath: folder, toPath: other)
        for _ in 0..<2 {
            let error = await #expect(throws: StorageError.self) { try await texts(in: storage) }
            #expect(error?.reason == "\(path) is unavailable")
            await #expect(throws: StorageError.self) { try await add("b", to: storage) }
            #expect(storage.loss == "\(path) is unavailable")
        }
        #expect(!FileManager.default.fileExists(atPath: folder))
        try FileManager.default.moveItem(atPath: other, toPath: folder)
        try await add("b", to: storage)
        let read = try await texts(in: storage)
        #expect(read == ["a", "b"])
    }

    @Test("a file that replaces another one is read and written")
    func replaced() async throws {
        let other = folder + "-other"
        defer { for path in [folder, other] { try? FileManager.default.removeItem(atPath: path) } }
        let storage = Storage.of(folder)
        try await add("a", to: storage)
        try await add("b", to: Storage.of(other))
        try FileManager.default.removeItem(atPath: folder)
        try FileManager.default.moveItem(atPath: other, toPath: folder)
        try await add("c", to: storage)
        let read = try await texts(in: storage)
        #expect(read == ["b", "c"])
    }

    @Test("concurrent writers create one file, and all succeed")
    func concurrent() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let storage = Storage.of(folder)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 { group.addTask { try await add("\(number)", to: storage) } }
            try await group.waitForAll()
        }
        let count = try await texts(in: storage)?.count
        #expect(count == 20)
    }

    @Test("an unusable folder is an error with the reason")
    func unusable() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect { try Storage.of("/proc/self/status/data").check() } throws: { error in
            "\(error)".hasPrefix("the database in /proc/self/status/data can't be used: ")
        }
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true
        )
        #expect { try Storage.of(folder).check() } throws: { error in
            "\(error)".hasSuffix("\(path) is not a file")
        }
    }

    @Test("a file that isn't a database is an error, and is left unchanged")
    func foreign() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
        let text = Data(String(repeating: "no database ", count: 1000).utf8)
        try text.write(to: URL(fileURLWithPath: path))
        let storage = Storage.of(folder)
        await #expect(throws: StorageError.self) { try await add("a", to: storage) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == text)
    }

    @Test(
        "a file with a migration of another version is rejected and left unchanged",
        arguments: ["notes 2", "notes: note", "v1"]
    )
    func unknownMigration(name: String) async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await add("a", to: Storage.of(folder))
        try await DatabaseQueue.beside(path).write { database in
            try database.execute(sql: "INSERT INTO grdb_migrations VALUES (?)", arguments: [name])
        }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let storage = Storage.of(folder + "/.")
        let errors: [StorageError?] = [
            #expect(throws: StorageError.self) { try storage.check(Self.notes) },
            await #expect(throws: StorageError.self) { try await add("b", to: storage) },
            await #expect(throws: StorageError.self) { try await texts(in: storage) },
        ]
        for error in errors {
            #expect(
                error?.reason
                    == "\(storage.path) has the migration \"\(name)\", which this version doesn't know; "
                    + "start the version that wrote it, or choose another folder"
            )
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["plugboard.sqlite"])
    }

    @Test("a later version changes an earlier one's tables, which the earlier one then rejects")
    func migration() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await add("a", to: .of(folder))
        let later = Schema(
            "notes",
            { try $0.execute(sql: "CREATE TABLE note (text TEXT NOT NULL)") },
            then: [
                { try $0.execute(sql: "ALTER TABLE note ADD COLUMN number INTEGER DEFAULT 7") }
            ]
        )
        // Another process: the storage of this one has the earlier schema.
        let other = Storage.of(folder + "/.")
        let rows = try await other.read(later) {
            try String.fetchAll($0, sql: "SELECT text || number FROM note")
        }
        #expect(rows == ["a7"])
        let error = #expect(throws: StorageError.self) {
            try Storage.of(folder + "/./").check(Self.notes)
        }
        #expect(error?.reason.contains("has the migration \"notes 2\"") == true)
        try other.check(later)
    }

    @Test("an unknown migration of another schema is ignored")
    func othersMigration() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await add("a", to: Storage.of(folder))
        try await DatabaseQueue.beside(path).write { database in
            try database.execute(sql: "INSERT INTO grdb_migrations VALUES ('marks 2')")
        }
        let storage = Storage.of(folder + "/.")
        try storage.check(Self.notes)
        try await add("b", to: storage)
        #expect(throws: StorageError.self) { try storage.check(Self.notes, Self.marks) }
    }
}
