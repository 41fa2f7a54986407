package import PostgreSQL
import System

/// A change under construction: its statements, with a chained audit row for each change.
package struct AdministrationUpdate: Sendable {
    /// The time of the change, in seconds since 1970.
    package let now: Int
    /// The tables of the statements.
    package let tables: AdministrationTables
    /// The last row before the change.
    let base: AdministrationHead
    /// The last row so far.
    private(set) var head: AdministrationHead
    /// The statements so far.
    private(set) var statements: [SQLStatement] = []

    init(after base: AdministrationHead, at now: Int, in tables: AdministrationTables) {
        self.base = base
        self.now = now
        self.tables = tables
        head = base
    }

    /// Adds a statement.
    package mutating func run(_ statement: SQLStatement) { statements.append(statement) }

    /// Adds the audit row of a change.
    ///
    /// - Throws: ``AdministrationError/unavailable(_:)`` if no number can follow the last row's.
    package mutating func record(
        _ change: AdministrationChange,
        of name: String = "",
        from before: String? = nil,
        to after: String? = nil,
        because reason: String = "",
        by author: AdministrationAuthor
    ) throws(AdministrationError) {
        guard head.sequence < Int.max else {
            throw .unavailable(
                "no row of the administration's audit can follow row \(head.sequence)"
            )
        }
        var row = AdministrationRow(
            sequence: head.sequence + 1,
            at: now,
            author: author.id,
            authorName: author.name,
            address: author.address,
            change: change.rawValue,
            name: name,
            before: before,
            after: after,
            reason: TerminalText.line(reason),
            previous: head.hash,
            hash: ""
        )
        row.hash = row.computedHash
        run(tables.insert(row))
        head = AdministrationHead(row)
    }
}
