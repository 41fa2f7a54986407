package import GRDB
import Glibc

/// The state of a database's file, for an operator.
///
/// The inspection leaves the file and its log as they are, and runs beside a server.
package struct StorageInspection: Sendable, Equatable {
    /// The most findings of damage that a report needs.
    private static let maximumDamage = 3

    /// The size of the file and its log in bytes.
    package let size: Int
    /// The findings of SQLite's quick check; empty if the file is intact.
    package let damage: [String]
    /// The names of the file's migrations, such as `tokens 1`.
    package let migrations: [String]

    /// The reason why this version rejects the file: a newer version has migrated it.
    package let newer: String?
    /// The migrations that the next start makes, such as `tokens 1 → 2`.
    package let pending: [String]

    /// Reads the state of an open file; of a damaged one only the damage.
    init(_ database: Database, path: String, _ schemas: [Schema]) throws {
        size = ["", "-wal"].reduce(0) { size, suffix in
            var info = stat()
            return stat(path + suffix, &info) == 0 ? size + Int(info.st_size) : size
        }
        damage = try Self.damage(of: database)
        guard damage.isEmpty else {
            (migrations, newer, pending) = ([], nil, [])
            return
        }
        migrations =
            try database.tableExists("grdb_migrations")
            ? try String.fetchAll(
                database,
                sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid"
            ) : []
        // An application's own migrations may have any names.
        let unknown = schemas.isEmpty ? nil : Schema.unknownMigration(of: migrations, schemas)
        newer = unknown.map { Storage.reason($0, in: path) }
        pending = Self.pending(after: migrations, schemas)
    }

    private static func damage(of database: Database) throws -> [String] {
        do {
            let sql = "PRAGMA quick_check(\(maximumDamage))"
            let found = try String.fetchAll(database, sql: sql)
            return found == ["ok"] ? [] : found
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            // Some damage ends the check itself.
            return [error.message ?? "the database is malformed"]
        }
    }

    /// Returns the migrations of schemas that a file has in an older version.
    ///
    /// A schema that the file lacks isn't old: its first user creates it.
    static func pending(after migrations: [String], _ schemas: [Schema]) -> [String] {
        schemas.compactMap { schema in
            let versions = migrations.compactMap { version(of: $0, in: schema.name) }
            guard let stored = versions.max(), stored < schema.version else { return nil }
            return "\(schema.name) \(stored) → \(schema.version)"
        }
    }

    private static func version(of migration: String, in schema: String) -> Int? {
        guard migration.hasPrefix(schema + " ") else { return nil }
        return Int(migration.dropFirst(schema.count + 1))
    }
}

extension Storage {
    /// Checks the folder and the file, and reads the file's state without changing either.
    ///
    /// - Parameters:
    ///   - schemas: the file's known schemas; empty for an application's file.
    ///   - body: reads more of an intact file.
    /// - Returns: the state, and the result of `body`, which is nil for a damaged file; nil if the
    ///   file is missing.
    /// - Throws: ``StorageError`` if the file can't be read or written by this process.
    package func inspect<Value>(
        _ schemas: [Schema],
        _ body: (Database) throws -> Value
    ) throws(StorageError) -> (StorageInspection, Value?)? {
        try checkPlace()
        guard exists else { return nil }
        do {
            let file = try DatabaseQueue(
                path: path,
                configuration: Schema.inspecting(path)
            )
            defer { try? file.close() }
            var found: (StorageInspection, Value?)?
            do {
                try file.read { database in
                    let state = try StorageInspection(database, path: path, schemas)
                    found = (state, state.damage.isEmpty ? try body(database) : nil)
                }
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
                // In a damaged file the end of a transaction that only reads can fail, too.
                guard found != nil else { throw error }
            }
            return found
        } catch {
            throw failure(error)
        }
    }

    /// Checks an application's file, whose schemas are unknown.
    package func inspect() throws(StorageError) -> StorageInspection? {
        try inspect([]) { _ in }?.0
    }
}
