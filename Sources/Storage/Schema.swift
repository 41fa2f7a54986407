package import GRDB

/// The tables of one user of a ``Storage``, made by one migration.
package struct Schema: Sendable {
    /// The name that tells the schema from others of the same file.
    package let name: String
    private let migrator: DatabaseMigrator

    /// The migration's name in the database.
    private var migration: String { name + Self.version }
    private static let version = " 1"

    /// A schema of the tables that `create` makes.
    package init(_ name: String, _ create: @escaping @Sendable (Database) throws -> Void) {
        self.name = name
        var migrator = DatabaseMigrator()
        migrator.registerMigration(name + Self.version, migrate: create)
        self.migrator = migrator
    }

    /// A schema of the tables that statements make.
    package init(_ name: String, sql: String) {
        self.init(name) { try $0.execute(sql: sql) }
    }

    /// Makes the tables in a file, by a connection of its own.
    ///
    /// A pool would wait until nobody reads. A reader returns its connection only when a thread
    /// continues its task, and all threads may be waiting for this call.
    func make(in path: String) throws {
        let own = try DatabaseQueue(path: path, configuration: Self.configuration)
        try migrator.migrate(own)
        try own.close()
    }

    /// The first migration of a file that `schemas` don't know; nil where there is none.
    ///
    /// Schemas of others are theirs to check. Nothing is written.
    static func unknownMigration(in path: String, _ schemas: [Schema]) throws -> String? {
        // A connection that may only read would leave the files of its log beside the database.
        let file = try DatabaseQueue(path: path, configuration: configuration)
        let migrations = try file.read { database in
            guard try database.tableExists("grdb_migrations") else { return [] as [String] }
            return try String.fetchAll(database, sql: "SELECT identifier FROM grdb_migrations")
        }
        try file.close()
        return migrations.sorted().first { migration in
            guard let space = migration.firstIndex(of: " "),
                migration[space...].dropFirst().allSatisfy(\.isWholeNumber)
            else { return true }
            return schemas.contains { $0.name == migration[..<space] && $0.migration != migration }
        }
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        return configuration
    }

    /// Reads the tables as the migration makes them, in a database in memory.
    package func inMemory<Value>(_ body: (Database) throws -> Value) throws -> Value {
        let database = try DatabaseQueue()
        try migrator.migrate(database)
        return try database.read(body)
    }
}
