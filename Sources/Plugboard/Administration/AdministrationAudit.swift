import BehaviorStore
import GRDB
import Identity
package import Storage

extension AdministrationAuthor {
    /// The author of a request.
    init(_ author: Author) {
        self.init(id: author.id, name: author.name, address: author.address)
    }
}

extension Storage {
    /// Verifies the administration's audit, and compares the stored tokens and plugs with it.
    ///
    /// It also compares the schema of the tables, as a trigger or a view changes what they store.
    ///
    /// - Returns: nil if the database never existed.
    /// - Throws: ``StorageError`` if the database can't be read.
    package func checkAdministration(
        expecting hash: String? = nil
    ) async throws
        -> AdministrationCheck?
    {
        try await TokenStore.checkAudit(
            of: self,
            expecting: hash,
            schemas: [.plugs, .idempotency]
        ) { database, check in
            try PlugStore.compare(database, &check)
        }
    }
}
