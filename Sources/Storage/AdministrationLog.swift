import Digests
package import GRDB

/// The audit of administrative changes: a chain of rows in the database of the data folder.
///
/// A row is in the transaction of its change. So a change without a row comes from another program,
/// and ``AdministrationCheck`` finds it.
package enum AdministrationLog {
    /// A page takes no further row after this many bytes of its rows' texts: 1 MiB.
    static let maximumPage = 1 << 20

    /// Creates the table, which several schemas share.
    package static func create(in database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS administrationAudit (
                    sequence INTEGER NOT NULL PRIMARY KEY, at INTEGER NOT NULL,
                    author TEXT NOT NULL, author_name TEXT NOT NULL, address TEXT NOT NULL,
                    change TEXT NOT NULL, name TEXT NOT NULL, before TEXT, after TEXT,
                    reason TEXT NOT NULL, previous TEXT NOT NULL, hash TEXT NOT NULL
                );
                CREATE INDEX IF NOT EXISTS administrationAuditName
                ON administrationAudit (name, sequence);
                """
        )
    }

    /// Adds the row of a change that the same transaction makes.
    ///
    /// - Throws: `DatabaseError` if no number can follow the last row's.
    package static func add(
        _ change: AdministrationChange,
        of name: String = "",
        from before: String? = nil,
        to after: String? = nil,
        because reason: String = "",
        by author: AdministrationAuthor,
        at now: Int,
        in database: Database
    ) throws {
        let head = try head(of: database)
        guard head.sequence < Int.max else {
            throw DatabaseError(
                resultCode: .SQLITE_CORRUPT,
                message: "no row of the administration's audit can follow row \(head.sequence)"
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
            reason: reason,
            previous: head.hash,
            hash: ""
        )
        row.hash = row.computedHash
        try database.execute(
            sql: """
                INSERT INTO administrationAudit (sequence, at, author, author_name, address, change,
                    name, before, after, reason, previous, hash)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                row.sequence, row.at, row.author, row.authorName, row.address, row.change,
                row.name, row.before, row.after, row.reason, row.previous, row.hash,
            ]
        )
    }

    /// Returns the last row's place and hash; 0 and zeros if there is no row.
    package static func head(of database: Database) throws -> (sequence: Int, hash: String) {
        let sql = "SELECT * FROM administrationAudit ORDER BY sequence DESC LIMIT 1"
        let last = try Row.fetchOne(database, sql: sql).map(AdministrationRow.init(row:))
        return last.map { ($0.sequence, $0.hash) } ?? (0, ChainHash.start)
    }

    /// Returns the last changes of a thing, the newest first.
    package static func changes(
        of name: String,
        _ kinds: [AdministrationChange],
        limit: Int,
        in database: Database
    ) throws -> [AdministrationRow] {
        let list = kinds.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        return try Row.fetchAll(
            database,
            sql: """
                SELECT * FROM administrationAudit WHERE name = ? AND change IN (\(list))
                ORDER BY sequence DESC LIMIT ?
                """,
            arguments: [name, limit]
        ).map(AdministrationRow.init(row:))
    }
}

extension Storage {
    /// Returns at most `limit` rows of the administration's audit after a place, in their order.
    ///
    /// Large rows make a page shorter; it has at least one row if there are more.
    package func administrationRows(
        after place: Int,
        limit: Int
    ) async throws
        -> [AdministrationRow]
    {
        try await administrationRows("sequence > ? ORDER BY sequence", place, limit)
    }

    /// Returns at most `limit` rows of the administration's audit before a place, the newest first.
    ///
    /// Large rows make a page shorter; it has at least one row if there are more.
    package func administrationRows(
        before place: Int?,
        limit: Int
    ) async throws
        -> [AdministrationRow]
    {
        try await administrationRows("sequence < ? ORDER BY sequence DESC", place ?? .max, limit)
    }

    private func administrationRows(
        _ which: String,
        _ place: Int,
        _ limit: Int
    ) async throws -> [AdministrationRow] {
        try await read(.administration) { database in
            let stored = try Row.fetchCursor(
                database,
                sql: "SELECT * FROM administrationAudit WHERE \(which) LIMIT ?",
                arguments: [place, limit]
            )
            var (rows, size) = ([AdministrationRow](), 0)
            while size < AdministrationLog.maximumPage, let row = try stored.next() {
                let row = AdministrationRow(row: row)
                rows.append(row)
                size += row.size
            }
            return rows
        } ?? []
    }

    /// Returns the last row's place and hash in the administration's audit.
    package func administrationHead() async throws -> (sequence: Int, hash: String) {
        try await read(.administration, AdministrationLog.head) ?? (0, ChainHash.start)
    }
}

extension AdministrationRow {
    /// The number of bytes in the row's texts.
    fileprivate var size: Int {
        [author, authorName, address, change, name, reason, previous, hash]
            .reduce((before?.utf8.count ?? 0) + (after?.utf8.count ?? 0)) { $0 + $1.utf8.count }
    }

    /// Reads columns of any type without a trap: another program may have edited the file.
    package init(row: Row) {
        func text(_ column: String) -> String? {
            String.fromDatabaseValue(row.storedValue(column))
        }
        func number(_ column: String) -> Int {
            Int.fromDatabaseValue(row.storedValue(column)) ?? 0
        }
        self.init(
            sequence: number("sequence"),
            at: number("at"),
            author: text("author") ?? "",
            authorName: text("author_name") ?? "",
            address: text("address") ?? "",
            change: text("change") ?? "",
            name: text("name") ?? "",
            before: text("before"),
            after: text("after"),
            reason: text("reason") ?? "",
            previous: text("previous") ?? "",
            hash: text("hash") ?? ""
        )
    }
}

extension Schema {
    /// The administration's audit alone, for its readers.
    package static let administration = Schema("administration") {
        try AdministrationLog.create(in: $0)
    }
}
