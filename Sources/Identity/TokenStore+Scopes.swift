import AdministrationStore
package import PlugHTTP
import PostgreSQL

extension TokenStore {
    /// Returns the scopes that the last started server declared; nil if no server stored any.
    package func declaredScopes() async throws -> Scopes? {
        let rows = try await backend.read(backend.tables.declaredScopes) ?? []
        let names = rows.compactMap { try? $0.get("name", as: String.self) }
        return names.isEmpty ? nil : Scopes(names)
    }

    /// Stores the scopes of a server's actions, in place of an earlier server's.
    ///
    /// It writes only if they differ.
    package func store(declared scopes: Scopes) async throws {
        try await backend.change { [self] update in
            guard try await declaredScopes() != scopes else { return }
            update.run(update.tables.removeScopes)
            for name in scopes.names { update.run(update.tables.insertScope(name)) }
        }
    }
}
