public import GRDB
import Glibc

/// The tables of one user of a ``Storage``, created by numbered migrations.
///
/// A released migration never changes: files have its result. A change of the tables is another
/// migration, which the first access to an earlier version's file performs.
public struct Schema: Sendable {
    /// A change of the tables, in a transaction of its own.
    public typealias Migration = @Sendable (Database) throws -> Void

    /// The schema's unique name within a file.
    public let name: String
    private let migrator: DatabaseMigrator
    private let steps: [Migration]
    /// The names of its migrations in the database, in their order: `tokens 1`, `tokens 2`.
    private let migrations: [String]
    /// The schemas that it unites; empty for a single one.
    package let parts: [Schema]

    /// Creates a schema from a function that creates its tables, and the later changes in order.
    public init(_ name: String, _ create: @escaping Migration, then changes: [Migration] = []) {
        self.name = name
        parts = []
        steps = [create] + changes
        migrations = steps.indices.map { "\(name) \($0 + 1)" }
        migrator = Self.migrator(of: zip(migrations, steps))
    }

    /// Unites the schemas of one user, whose accesses need all their tables.
    package init(_ name: String, uniting parts: [Schema]) {
        self.name = name
        self.parts = parts
        steps = parts.flatMap(\.steps)
        migrations = parts.flatMap(\.migrations)
        migrator = Self.migrator(of: zip(migrations, steps))
    }

    private static func migrator(
        of migrations: Zip2Sequence<[String], [Migration]>
    ) -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for (name, migration) in migrations {
            migrator.registerMigration(name, migrate: migration)
        }
        return migrator
    }

    /// The number of its last migration.
    var version: Int { migrations.count }

    /// Whether a file with these migrations has the schema's current tables.
    func isCurrent(in applied: [String]) -> Bool {
        migrations.last.map { applied.contains($0) } ?? false
    }

    /// Creates a schema from SQL statements that create its tables.
    public init(_ name: String, sql: String) {
        self.init(name) { try $0.execute(sql: sql) }
    }

    /// Creates the tables in a file, on a separate connection.
    ///
    /// A pool would wait for all readers. A reader returns its connection only when a thread
    /// continues its task, and all threads may be waiting for this call.
    func make(in path: String) throws {
        let own = try DatabaseQueue(path: path, configuration: Self.configuration)
        try migrator.migrate(own)
        try own.close()
    }

    /// Returns the file's first migration that `schemas` don't know; nil if there is none.
    ///
    /// It ignores the schemas of other users and writes nothing.
    static func unknownMigration(in path: String, _ schemas: [Schema]) throws -> String? {
        let file = try DatabaseQueue(path: path, configuration: inspecting(path))
        let migrations = try file.read { database in
            guard try database.tableExists("grdb_migrations") else { return [] as [String] }
            return try String.fetchAll(database, sql: "SELECT identifier FROM grdb_migrations")
        }
        try file.close()
        return unknownMigration(of: migrations, schemas)
    }

    /// Returns the first of a file's migrations that `schemas` don't know; nil if there is none.
    static func unknownMigration(of migrations: [String], _ schemas: [Schema]) -> String? {
        migrations.sorted().first { migration in
            guard let space = migration.firstIndex(of: " "),
                migration[space...].dropFirst().allSatisfy(\.isWholeNumber)
            else { return true }
            return schemas.flatMap { $0.parts.isEmpty ? [$0] : $0.parts }.contains {
                $0.name == migration[..<space] && !$0.migrations.contains(migration)
            }
        }
    }

    /// The configuration of a connection that changes neither a file nor its log.
    ///
    /// - The last connection that can write moves the log into the file when it closes.
    /// - A connection that can't write creates a log if there is none, and leaves it.
    static func inspecting(_ path: String) -> Configuration {
        var configuration = configuration
        configuration.readonly = access(path + "-wal", F_OK) == 0
        return configuration
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        return configuration
    }

    /// Reads the tables of a new database in memory.
    package func inMemory<Value>(_ body: (Database) throws -> Value) throws -> Value {
        let database = try DatabaseQueue()
        try migrator.migrate(database)
        return try database.read(body)
    }
}
