package import AdministrationStore
import BehaviorStore
import Identity

extension AdministrationAuthor {
    /// The author of a request.
    init(_ author: Author) {
        self.init(id: author.id, name: author.name, address: author.address)
    }
}

extension AdministrationBackend {
    /// Verifies the administration's audit, and compares the stored tokens and plugs with it.
    ///
    /// It also compares the schema of the tables, as a trigger or a view changes what they store.
    ///
    /// - Returns: nil if nothing was ever stored.
    /// - Throws: an error if the store can't be read.
    package func checkAdministration(
        expecting hash: String? = nil
    ) async throws
        -> AdministrationCheck?
    {
        try await check(
            expecting: hash,
            [tables.allTokens, tables.allPlugs],
            differences()
        ) { check, stored in
            TokenStore.compare(stored[0], with: &check)
            PlugStore.compare(stored[1], with: &check)
        }
    }
}
