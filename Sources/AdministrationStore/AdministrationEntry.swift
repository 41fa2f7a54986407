package import PostgreSQL

/// A row for the administration's audit, of a change outside its tables.
package struct AdministrationEntry: Sendable {
    private let change: AdministrationChange
    private let after: String
    private let author: AdministrationAuthor

    /// Makes the row of a change; `after` is the JSON text of its result.
    package init(_ change: AdministrationChange, to after: String, by author: AdministrationAuthor)
    {
        (self.change, self.after, self.author) = (change, after, author)
    }

    /// Adds the row to an update.
    func add(to update: inout AdministrationUpdate) throws(AdministrationError) {
        try update.record(change, to: after, by: author)
    }

    /// Returns the statements that add the row after a head, in another store's transaction.
    package func statements(
        after head: SQLRow?,
        at now: Int,
        in tables: AdministrationTables
    ) throws(AdministrationError) -> [SQLStatement] {
        let head = head.map(AdministrationHead.init) ?? AdministrationHead.none
        var update = AdministrationUpdate(after: head, at: now, in: tables)
        try add(to: &update)
        return update.statements
    }
}

extension AdministrationBackend {
    /// Adds a row in a transaction of its own.
    package func record(_ entry: AdministrationEntry) async throws {
        try await change { try entry.add(to: &$0) }
    }
}
