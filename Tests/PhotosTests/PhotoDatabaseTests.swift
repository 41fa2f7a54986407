import PhotoContracts
import Foundation
import GRDB
@testable import Photos
import Storage
import TestDatabase
import Testing

@Suite("The photos' database")
struct PhotoDatabaseTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open() -> Photos { Photos(database: PhotoDatabase(folder: folder.path)) }

    @Test("a reopened database has the same photos and likes")
    func reopened() async throws {
        let posted = try await open().post(.init(title: "Mir"))
        for count in 1...3 {
            let likes = try await open().like(.init(id: 42, user: "ada"))
            #expect(likes.likes == count)
        }
        let photos = open()
        #expect(try await photos.list(.init()).map(\.id) == [1, 7, 42, posted.id])
        #expect(try await photos.get(.init(id: posted.id)) == posted)
        #expect(try await photos.unlike(.init(id: 42, user: "ada")).likes == 2)
        #expect(try await photos.post(.init(title: "Salyut")).id == posted.id + 1)
    }

    @Test("a response is sent after its change is on disk: every commit is synced")
    func synced() async throws {
        try await PhotoDatabase(folder: folder.path).open()
        let storage = Storage.of(folder.path, file: "photos.sqlite")
        let synchronous = try await storage.write(Schema("none", sql: "")) {
            try Int.fetchOne($0, sql: "PRAGMA synchronous")
        }
        #expect(synchronous == 2)
    }

    @Test("a user without likes has no row, neither before the first like nor after the last")
    func noTrace() async throws {
        let photos = open()
        for number in 0..<20 {
            #expect(try await photos.unlike(.init(id: 42, user: "nobody\(number)")).likes == 0)
        }
        #expect(try await photos.like(.init(id: 42, user: "ada")).likes == 1)
        #expect(try await photos.like(.init(id: 42, user: "ada")).likes == 2)
        #expect(try await photos.unlike(.init(id: 42, user: "ada")).likes == 1)
        #expect(try await photos.unlike(.init(id: 42, user: "ada")).likes == 0)
        let queue = try DatabaseQueue.beside(folder.path + "/photos.sqlite")
        let rows = try await queue.read {
            try Int.fetchOne($0, sql: #"SELECT count(*) FROM "like""#)
        }
        #expect(rows == 0)
    }

    @Test("two connections to one file share the counts")
    func twice() async throws {
        let (one, other) = (open(), open())
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<40 {
                let photos = number.isMultiple(of: 2) ? one : other
                group.addTask { try await photos.like(.init(id: 42)).likes }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(counts == Set(1...40))
    }

    @Test("concurrent servers create the database once", arguments: 0..<10)
    func madeAtOnce(round: Int) async throws {
        let path = folder.path + "/\(round)"
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<6 {
                group.addTask { try await PhotoDatabase(folder: path).open() }
            }
            try await group.waitForAll()
        }
        let photos = Photos(database: PhotoDatabase(folder: path))
        #expect(try await photos.get(.init(id: 42)).id == 42)
    }

    @Test("missing folders are created, with their parents")
    func folders() async throws {
        let path = folder.path + "/a/b"
        let photos = Photos(database: PhotoDatabase(folder: path))
        #expect(try await photos.get(.init(id: 42)).id == 42)
        #expect(FileManager.default.fileExists(atPath: path + "/photos.sqlite"))
    }

    @Test("the first call opens the database, and concurrent calls wait for it")
    func lazily() async throws {
        let path = folder.path + "/late"
        let database = PhotoDatabase(folder: path)
        #expect(!FileManager.default.fileExists(atPath: path))
        let photos = Photos(database: database)
        // Two openings of a new file would make its tables twice.
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            group.addTask {
                try await database.open()
                return 0
            }
            for _ in 0..<8 {
                group.addTask { try await photos.like(.init(id: 42)).likes }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(counts == Set(0...8))
    }

    @Test("a folder that can't be created or written, or a file of another type, is an error")
    func unusable() async throws {
        let file = folder.path + "/file"
        try Data("x".utf8).write(to: URL(fileURLWithPath: file))
        let text = Data(String(repeating: "no database ", count: 1_000).utf8)
        try text.write(to: URL(fileURLWithPath: folder.path + "/photos.sqlite"))
        for path in [file, folder.path, "/proc/nowhere"] {
            let database = PhotoDatabase(folder: path)
            await #expect(throws: (any Error).self) { try await database.open() }
            await #expect(throws: (any Error).self) {
                try await Photos(database: database).get(.init(id: 42))
            }
        }
    }

    @Test("a database of another version is rejected, and nothing is written to it")
    func otherVersion() async throws {
        try await PhotoDatabase(folder: folder.path).open()
        let path = folder.path + "/photos.sqlite"
        try await DatabaseQueue.beside(path).write { database in
            try database.execute(sql: "INSERT INTO grdb_migrations VALUES ('photos 2')")
        }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let database = PhotoDatabase(folder: folder.path + "/.")
        let errors: [StorageError?] = [
            #expect(throws: StorageError.self) { try database.check() },
            await #expect(throws: StorageError.self) { try await database.open() },
        ]
        for error in errors {
            #expect(error?.reason.contains("has the migration \"photos 2\"") == true)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    }
}
