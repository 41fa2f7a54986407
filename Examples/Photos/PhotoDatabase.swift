import GRDB
import PhotoContracts
import Storage

/// Photos in a SQLite file.
///
/// A like is on the disk before its response, so a killed process loses none.
final class PhotoDatabase: Sendable {
    /// The folder of the file.
    var folder: String { storage.folder }
    private let storage: Storage
    private let watchers = LikesWatchers()

    /// The database `photos.sqlite` in a folder.
    ///
    /// ``open()`` opens it, or the first action that needs it.
    init(folder: String) { storage = Storage.of(folder, file: "photos.sqlite") }

    /// Checks that the database can be used; writes nothing.
    func check() throws(StorageError) { try storage.check(Self.schema) }

    /// Opens the database; makes the folder and the file if they are missing.
    ///
    /// A new database holds a few photos, 42 among them.
    func open() async throws { try await storage.write(Self.schema) { _ in } }

    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        while true {
            if let value = try await storage.read(Self.schema, body) { return value }
            try await open()
        }
    }

    private static let schema = Schema("photos") { database in
        try database.create(table: "photo") { table in
            table.autoIncrementedPrimaryKey("id")
            table.column("title", .text).notNull()
            table.column("likes", .integer).notNull().defaults(to: 0)
        }
        // The likes by user; '' is the user of anonymous likes.
        try database.create(table: "like") { table in
            table.column("photo", .integer).notNull().references("photo", onDelete: .cascade)
            table.column("user", .text).notNull()
            table.column("count", .integer).notNull()
            table.primaryKey(["photo", "user"])
        }
        for photo in Photo.first {
            try database.execute(
                sql: "INSERT INTO photo (id, title) VALUES (?, ?)",
                arguments: [photo.id, photo.title]
            )
        }
    }

    func list(limit: Int, after: Int) async throws -> [Photo] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT id, title FROM photo WHERE id > ? ORDER BY id LIMIT ?",
                arguments: [after, limit]
            ).map { Photo(id: $0["id"], title: $0["title"]) }
        }
    }

    func photo(_ id: Int) async throws -> Photo {
        let row = try await read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT id, title FROM photo WHERE id = ?",
                arguments: [id]
            ).map { Photo(id: $0["id"], title: $0["title"]) }
        }
        guard let row else { throw Validation.missing(id) }
        return row
    }

    func add(title: String) async throws -> Photo {
        try await storage.write(Self.schema) { database in
            try database.execute(sql: "INSERT INTO photo (title) VALUES (?)", arguments: [title])
            return Photo(id: Int(database.lastInsertedRowID), title: title)
        }
    }

    /// Adds 1 or -1 to a user's likes of a photo, which stay at 0 or more.
    ///
    /// A user without likes has no row.
    func changeLikes(of id: Int, by change: Int, user: String?) async throws -> Likes {
        try await storage.write(Self.schema) { database in
            let likes = try database.cachedStatement(sql: "SELECT likes FROM photo WHERE id = ?")
            guard try Int.fetchOne(likes, arguments: [id]) != nil else {
                throw Validation.missing(id)
            }
            let user = user ?? ""
            let count = try database.cachedStatement(
                sql: #"SELECT count FROM "like" WHERE photo = ? AND user = ?"#
            )
            let given = try Int.fetchOne(count, arguments: [id, user]) ?? 0
            let gives = max(0, given + change)
            if gives == 0 {
                try database.cachedStatement(
                    sql: #"DELETE FROM "like" WHERE photo = ? AND user = ?"#
                ).execute(arguments: [id, user])
            } else {
                try database.cachedStatement(
                    sql: """
                        INSERT INTO "like" (photo, user, count) VALUES (?, ?, ?)
                        ON CONFLICT DO UPDATE SET count = excluded.count
                        """
                ).execute(arguments: [id, user, gives])
            }
            try database.cachedStatement(sql: "UPDATE photo SET likes = likes + ? WHERE id = ?")
                .execute(arguments: [gives - given, id])
            return Likes(photo: id, likes: try Int.fetchOne(likes, arguments: [id]) ?? 0)
        } then: { [watchers] likes in
            watchers.tell(likes)
            return likes
        }
    }

    /// Streams the number of a photo's likes, then each change by this process.
    ///
    /// It buffers only the newest number, and begins with the first change if `event` is that of the
    /// current number.
    func watchLikes(
        of id: Int,
        after event: String? = nil
    ) async throws -> AsyncThrowingStream<Likes, any Error> {
        // A write, so that no change is missed between the number and the stream.
        try await storage.write(Self.schema) { database in
            let likes = try Int.fetchOne(
                database,
                sql: "SELECT likes FROM photo WHERE id = ?",
                arguments: [id]
            )
            guard let likes else { throw Validation.missing(id) }
            return Likes(photo: id, likes: likes)
        } then: { [watchers] likes in
            watchers.watch(likes, after: event)
        }
    }
}
