import Foundation
import GRDB
import TestDatabase
import Testing

@testable import Storage

@Suite("The inspection of a database")
struct StorageInspectionTests {
    private let folder = NSTemporaryDirectory() + "plugboard-inspection-\(UUID().uuidString)"
    private var path: String { folder + "/plugboard.sqlite" }
    private static let notes = Schema("notes", sql: "CREATE TABLE note (text TEXT NOT NULL)")

    /// Writes a database with a large table, and closes it.
    private func write() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Self.notes.make(in: path)
        let database = try DatabaseQueue.beside(path)
        try database.write { database in
            for _ in 0..<200 {
                try database.execute(
                    sql: "INSERT INTO note VALUES (?)",
                    arguments: [String(repeating: "a", count: 500)]
                )
            }
        }
        try database.close()
    }

    private func remove() { try? FileManager.default.removeItem(atPath: folder) }

    /// The bytes of each file in the folder.
    private func files() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        return try Dictionary(
            uniqueKeysWithValues: names.map {
                ($0, try Data(contentsOf: URL(fileURLWithPath: folder + "/" + $0)))
            }
        )
    }

    @Test("an intact file has its size and its migrations, and stays as it is")
    func intact() throws {
        defer { remove() }
        try write()
        let before = try files()
        let found = try Storage.of(folder).inspect([Self.notes]) {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM note")
        }
        let (state, count) = try #require(found)
        #expect(count == 200)
        #expect(state.size == before["plugboard.sqlite"]?.count)
        #expect(state.damage.isEmpty)
        #expect(state.migrations == ["notes 1"])
        #expect(state.newer == nil)
        #expect(state.pending.isEmpty)
        #expect(try files() == before)
    }

    @Test("a missing file or folder isn't created")
    func missing() throws {
        defer { remove() }
        #expect(try Storage.of(folder).inspect() == nil)
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test("the log of a process that was killed stays as it is, and its content counts")
    func log() throws {
        defer { remove() }
        try write()
        let copy = folder + "-copy"
        defer { try? FileManager.default.removeItem(atPath: copy) }
        let database = try DatabasePool(path: path)
        try database.write { try $0.execute(sql: "DELETE FROM note") }
        // The copy has the files as a killed process leaves them.
        try FileManager.default.copyItem(atPath: folder, toPath: copy)
        try database.close()
        let main = copy + "/plugboard.sqlite"
        let before = try [main, main + "-wal"].map {
            try Data(contentsOf: URL(fileURLWithPath: $0))
        }
        #expect(before[1].count > 0)
        let storage = Storage.of(copy)
        let count = try storage.inspect([Self.notes]) {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM note")
        }?.1
        #expect(count == 0)
        try storage.check(Self.notes)
        let after = try [main, main + "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
        #expect(after == before)
    }

    @Test("a damaged page is found, and so is a file of another kind")
    func damaged() throws {
        defer { remove() }
        try write()
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        let size = try file.seekToEnd()
        try file.seek(toOffset: size / 2 / 4096 * 4096)
        try file.write(contentsOf: Data(repeating: 0xFF, count: 4096))
        try file.close()
        let state = try #require(try Storage.of(folder).inspect())
        #expect(!state.damage.isEmpty)
        #expect(state.damage.count <= 3)

        try Data("no database, but long enough for one".utf8)
            .write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: StorageError.self) { try Storage.of(folder).inspect() }
        #expect(error?.reason.contains("not a database") == true)
    }

    @Test("a newer version's migration is reported; an application's own isn't")
    func newer() throws {
        defer { remove() }
        try write()
        let database = try DatabaseQueue.beside(path)
        try database.write {
            try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('notes 2'), ('mine')")
        }
        try database.close()
        let state = try #require(try Storage.of(folder).inspect([Self.notes]) { _ in }?.0)
        let newer = try #require(state.newer)
        #expect(newer.contains("which this version doesn't know"))
        #expect(try Storage.of(folder).inspect()?.newer == nil)
    }

    @Test("an older schema's migration is pending; a missing schema's isn't")
    func pending() {
        let schemas = [Self.notes, Schema("marks", sql: "CREATE TABLE mark (number INTEGER)")]
        func pending(_ migrations: String...) -> [String] {
            StorageInspection.pending(after: migrations, schemas)
        }
        #expect(pending("notes 0", "marks 1") == ["notes 0 → 1"])
        #expect(pending("notes 0", "notes 1") == [])
        #expect(pending("notes 2", "other 0", "notes") == [])
        #expect(pending() == [])
    }

    @Test("a file that another process has locked is busy")
    func locked() throws {
        defer { remove() }
        try write()
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: path, configuration: configuration)
        try other.inDatabase { try $0.execute(sql: "BEGIN EXCLUSIVE") }
        let error = #expect(throws: StorageError.self) { try Storage.of(folder).inspect() }
        #expect(error?.isBusy == true)
        try other.inDatabase { try $0.execute(sql: "ROLLBACK") }
        try other.close()
    }
}
