package import GRDB
import Glibc
import Locking

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Photos in a SQLite file.
///
/// An answered like is on the disk: a process that is killed loses none.
public final class PhotoDatabase: Sendable {
    /// The folder that holds it.
    public let folder: String
    private let watchers = LikesWatchers()
    private let opening = Locked<Task<DatabasePool, any Error>?>(nil)

    /// The database `photos.sqlite` in a folder.
    ///
    /// Nothing is opened before ``open()`` or an action that needs it.
    public init(folder: String) { self.folder = folder }

    /// Opens the database; makes the folder and the file if they are missing.
    ///
    /// A new database holds a few photos, 42 among them. It is opened once: whoever needs it
    /// meanwhile waits, and what keeps it from being opened is thrown to all of them.
    public func open() async throws { _ = try await pool }

    /// The pool, opened by whoever asks first.
    package var pool: DatabasePool {
        get async throws {
            let task = opening.withLock { opening in
                // Detached: it blocks its thread, which mustn't be an event loop's.
                let task = opening ?? Task.detached { [folder] in try Self.open(folder) }
                opening = task
                return task
            }
            return try await task.value
        }
    }

    private static func open(_ folder: String) throws -> DatabasePool {
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(5)
        return try alone(in: folder) {
            // Nobody else's to read; what SQLite lays beside it has the same mode.
            let file = Glibc.open(folder + "/photos.sqlite", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            if file >= 0 { close(file) }
            let pool = try DatabasePool(
                path: folder + "/photos.sqlite",
                configuration: configuration
            )
            // WAL with FULL: each transaction is synced before it is answered. Said here, since a pool
            // sets NORMAL when it is made.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            try migrator.migrate(pool)
            return pool
        }
    }

    /// Runs `body` when no other process does so for that folder: of two that make a database at the
    /// same moment, SQLite lets one fail.
    private static func alone<Result>(
        in folder: String,
        _ body: () throws -> Result
    ) rethrows
        -> Result
    {
        let lock = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // A folder that can't be read is told of by who opens the file.
        guard lock >= 0 else { return try body() }
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0, errno == EINTR {}
        return try body()
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("photos and likes") { database in
            try database.create(table: "photo") { table in
                table.autoIncrementedPrimaryKey("id")
                table.column("title", .text).notNull()
                table.column("likes", .integer).notNull().defaults(to: 0)
            }
            // The likes by who gave them, '' for those who aren't named.
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
        return migrator
    }

    func list(limit: Int, after: Int) async throws -> [Photo] {
        try await pool.read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT id, title FROM photo WHERE id > ? ORDER BY id LIMIT ?",
                arguments: [after, limit]
            ).map { Photo(id: $0["id"], title: $0["title"]) }
        }
    }

    func photo(_ id: Int) async throws -> Photo {
        let row = try await pool.read { database in
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
        try await pool.write { database in
            try database.execute(sql: "INSERT INTO photo (title) VALUES (?)", arguments: [title])
            return Photo(id: Int(database.lastInsertedRowID), title: title)
        }
    }

    /// Adds 1 or -1 to the likes that a user gave; nobody gave less than none, and who gave none has
    /// no row.
    func changeLikes(of id: Int, by change: Int, user: String?) async throws -> Likes {
        try await pool.write { [watchers] database in
            let likes = "SELECT likes FROM photo WHERE id = ?"
            guard try Int.fetchOne(database, sql: likes, arguments: [id]) != nil else {
                throw Validation.missing(id)
            }
            let user = user ?? ""
            let count = #"SELECT count FROM "like" WHERE photo = ? AND user = ?"#
            let given = try Int.fetchOne(database, sql: count, arguments: [id, user]) ?? 0
            let gives = max(0, given + change)
            try database.execute(
                sql: gives == 0
                    ? #"DELETE FROM "like" WHERE photo = :photo AND user = :user"#
                    : """
                    INSERT INTO "like" (photo, user, count) VALUES (:photo, :user, :count)
                    ON CONFLICT DO UPDATE SET count = :count
                    """,
                arguments: gives == 0
                    ? ["photo": id, "user": user] : ["photo": id, "user": user, "count": gives]
            )
            try database.execute(
                sql: "UPDATE photo SET likes = likes + ? WHERE id = ?",
                arguments: [gives - given, id]
            )
            let total = try Int.fetchOne(database, sql: likes, arguments: [id]) ?? 0
            let changed = Likes(photo: id, likes: total)
            database.afterNextTransaction { _ in watchers.tell(changed) }
            return changed
        }
    }

    /// The likes of a photo, then each number that this process changes them to; of what comes
    /// faster than it is read, the newest.
    func watchLikes(of id: Int) async throws -> AsyncThrowingStream<Likes, any Error> {
        // Where writes happen, so that none comes between the number and those to follow.
        try await pool.writeWithoutTransaction { [watchers] database in
            let likes = try Int.fetchOne(
                database,
                sql: "SELECT likes FROM photo WHERE id = ?",
                arguments: [id]
            )
            guard let likes else { throw Validation.missing(id) }
            return watchers.watch(Likes(photo: id, likes: likes))
        }
    }
}
