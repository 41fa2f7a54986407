import GRDB
package import PostgreSQL
package import Storage
package import System

/// Tokens, scopes, plugs and their audit in the SQLite file of a data folder.
package final class SQLiteAdministration: AdministrationBackend {
    /// The shortest interval between two reads of a database that changes all the time.
    private static let pause = Duration.milliseconds(400)

    /// The database.
    package let storage: Storage

    package let tables = AdministrationTables.sqlite
    package let isRemote = false
    package let changes = AsyncQueue<SingleKey>()

    private let otherSchemas: [Schema]

    /// Makes the store of a data folder, and opens nothing.
    ///
    /// ``differences()`` also compares the tables of the other schemas.
    package init(_ storage: Storage, beside otherSchemas: [Schema] = []) {
        self.storage = storage
        self.otherSchemas = otherSchemas
    }

    package var loss: String? { storage.loss }

    package func read(_ queries: [SQLStatement]) async throws -> [[SQLRow]]? {
        try await storage.read(.administration) { database in
            try queries.map { try $0.rows(database) }
        }
    }

    package func readNow(_ queries: [SQLStatement]) throws -> [[SQLRow]]? {
        try storage.readNow(.administration) { database in
            try queries.map { try $0.rows(database) }
        }
    }

    package func commit(
        _ statements: [SQLStatement],
        after head: AdministrationHead?
    ) async throws -> Bool {
        let query = tables.head
        return try await storage.write(.administration) { database in
            if let head {
                let last = try query.rows(database).first.map(AdministrationHead.init)
                guard head == last ?? AdministrationHead.none else { return false }
            }
            for statement in statements { try statement.execute(database) }
            return true
        }
    }

    package func differences() async throws -> [String] {
        try await storage.read(.administration) { [otherSchemas] database in
            let schemas = Schema.administration.parts + otherSchemas
            return try Schema.differences(of: database, from: schemas)
        } ?? []
    }

    package func watch(_ changed: @escaping @Sendable () async -> Void) async {
        var known = DatabaseStamp(storage.path)
        // Reports changes from before the first stamp.
        await changed()
        for await _ in Watcher.shared.looks(at: [.database(storage.path)]) {
            // The stamp comes first: a write during `changed()` then shows as a different stamp.
            let stamp = DatabaseStamp(storage.path)
            guard stamp != known || known?.isSettled == false else { continue }
            known = stamp
            await changed()
            try? await Task.sleep(for: Self.pause)
        }
    }
}
