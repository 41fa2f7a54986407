package import GRDB
import Glibc

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

    /// Adds the row in a transaction.
    package func add(in database: Database) throws {
        try AdministrationLog.add(change, to: after, by: author, at: time(nil), in: database)
    }
}

extension Storage {
    /// Adds a row in a transaction of its own.
    package func record(_ entry: AdministrationEntry) async throws {
        try await write(.administration) { try entry.add(in: $0) }
    }
}
