import GRDB
package import Storage

extension Schema {
    /// All tables of the administration.
    package static let administration = Schema(
        "administration tables",
        uniting: [tokens, scopes, plugs, audit]
    )

    private static let tokens = Schema("tokens") { database in
        try database.create(table: "token") { table in
            table.autoIncrementedPrimaryKey("position")
            table.column("number", .integer).notNull().unique()
            table.column("digest", .blob).notNull()
            table.column("name", .text).notNull()
            table.column("scopes", .text).notNull()
            table.column("created", .integer).notNull()
            table.column("expires", .integer)
            table.column("used", .integer)
            table.column("revoked", .integer)
        }
        try createAudit(in: database)
    }

    private static let scopes = Schema(
        "scopes",
        sql: "CREATE TABLE scope (name TEXT PRIMARY KEY)"
    )

    private static let plugs = Schema("plugs") { database in
        try database.create(table: "plug") { table in
            table.primaryKey("action", .text)
            table.column("plan", .text).notNull()
        }
        try createAudit(in: database)
    }

    private static let audit = Schema("administration") { try createAudit(in: $0) }

    /// Creates the audit's table, which files of earlier versions have from one of three schemas.
    private static func createAudit(in database: Database) throws {
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
}
