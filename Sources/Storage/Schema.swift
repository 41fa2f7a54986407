package import GRDB

/// The tables of one who keeps something in a ``Storage``, and how they came about, step by step.
///
/// A step is never changed once it was released: what is new is another step.
package struct Schema: Sendable {
    /// Tells it from others of the same file.
    package let name: String
    private let migrator: DatabaseMigrator

    /// A schema that its steps, each with a name of its own, lead to.
    package init(
        _ name: String,
        _ steps: [(name: String, migrate: @Sendable (Database) throws -> Void)]
    ) {
        self.name = name
        var migrator = DatabaseMigrator()
        for step in steps {
            migrator.registerMigration("\(name): \(step.name)", migrate: step.migrate)
        }
        self.migrator = migrator
    }

    /// Brings a file to its newest state, by a connection of its own.
    ///
    /// A pool would wait until nobody reads, and who reads gives its connection back only when a
    /// thread goes on with its task: all of them may be waiting for this.
    func bring(_ path: String) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        let own = try DatabaseQueue(path: path, configuration: configuration)
        try migrator.migrate(own)
        try own.close()
    }

    /// Reads from what its steps make, in a database of its own that is in memory alone.
    package func inMemory<Value>(_ body: (Database) throws -> Value) throws -> Value {
        let database = try DatabaseQueue()
        try migrator.migrate(database)
        return try database.read(body)
    }
}
