import GRDB
package import PlugHTTP
package import Storage

extension TokenStore {
    /// Returns the scopes that the last started server declared; nil if no server stored any.
    package func declaredScopes() async throws -> Scopes? {
        let names =
            try await storage.read(.scopes) { database in
                try Row.fetchAll(database, sql: "SELECT name FROM scope")
                    .compactMap { String.fromDatabaseValue($0.storedValue("name")) }
            } ?? []
        return names.isEmpty ? nil : Scopes(names)
    }

    /// Stores the scopes of a server's actions, in place of an earlier server's.
    ///
    /// It writes only if they differ.
    package func store(declared scopes: Scopes) async throws {
        guard try await declaredScopes() != scopes else { return }
        try await storage.write(.scopes) { database in
            try database.execute(sql: "DELETE FROM scope")
            for name in scopes.names {
                try database.execute(sql: "INSERT INTO scope (name) VALUES (?)", arguments: [name])
            }
        }
    }
}

extension Schema {
    /// The scopes that a server's actions declare.
    package static let scopes = Schema("scopes", sql: "CREATE TABLE scope (name TEXT PRIMARY KEY)")
}
