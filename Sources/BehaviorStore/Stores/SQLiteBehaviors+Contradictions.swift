import GRDB
import Storage

// Finds traces of an edit of the file that no query reads, or that a query reads differently.

extension SQLiteBehaviors {
    package func contradictions() async throws -> [String] {
        try await read { database in
            try Self.foreignParts(database) + Self.strayValues(database)
                + Self.strayDocuments(database)
                + Self.strayRows(database) + Self.strayRevisions(database)
                + StrayRow.records(
                    try Row.fetchAll(database, sql: "SELECT DISTINCT kind FROM behaviorRecord")
                        .map { $0.text("kind") }
                )
        }?.map(\.description) ?? []
    }

    /// The columns of each table by type; bytes are checked by their digest.
    private static let columns: [(table: String, texts: [String], integers: [String])] = [
        ("behaviorDocument", ["environment", "name"], ["latest", "live", "since"]),
        (
            "behaviorRevision",
            ["environment", "name", "author", "author_name", "message", "digest"],
            ["number", "size", "created"]
        ),
        ("behaviorRecord", ["kind", "environment", "name", "item", "value"], []),
        (
            "behaviorAudit",
            [
                "author", "author_name", "address", "change", "environment", "name", "before",
                "after", "previous", "hash",
            ],
            ["sequence", "at"]
        ),
    ]

    /// Finds parts of the schema that aren't as it makes them: a view instead of a table, a
    /// trigger, another collation.
    private static func foreignParts(_ database: Database) throws -> [StrayRow] {
        func parts(_ database: Database) throws -> [String: String] {
            try Row.fetchAll(
                database,
                sql: """
                    SELECT type || ' ' || name AS part, ifnull(sql, '') AS sql FROM sqlite_schema
                    WHERE tbl_name LIKE 'behavior%' OR sql LIKE '%behavior%' ORDER BY name
                    """
            ).reduce(into: [:]) { $0[$1.text("part")] = $1.text("sql") }
        }
        let made = try Schema.behaviors.inMemory(parts)
        let here = try parts(database)
        return Set(made.keys).union(here.keys).sorted().filter { made[$0] != here[$0] }
            .prefix(StrayRow.maximumCount).map { part in
                let how =
                    here[part] == nil
                    ? "is missing"
                    : made[part] == nil ? "isn't in the schema" : "differs from the schema"
                return .part("the \(part)", how)
            }
    }

    /// SQLite stores any value in any column.
    ///
    /// It compares a text whole, while GRDB reads it only up to the first NUL.
    private static func strayValues(_ database: Database) throws -> [StrayRow] {
        var found: [StrayRow] = []
        for (table, texts, integers) in columns {
            let wrong =
                texts.map {
                    ($0, "typeof(\($0)) <> 'text' OR instr(CAST(\($0) AS BLOB), x'00') > 0")
                }
                + integers.map { ($0, "typeof(\($0)) <> 'integer'") }
            for (column, isWrong) in wrong {
                let count = try Int.fetchOne(
                    database,
                    sql:
                        "SELECT count(*) FROM \(table) WHERE \(column) IS NOT NULL AND (\(isWrong))"
                )
                guard let count, count > 0 else { continue }
                found.append(.values(count, column: "\(table).\(column)"))
            }
        }
        return found
    }

    private static func strayDocuments(_ database: Database) throws -> [StrayRow] {
        try Row.fetchAll(database, sql: "SELECT environment, name FROM behaviorDocument")
            .filter { try $0.documentKey() == nil }.prefix(StrayRow.maximumCount)
            .map { .document($0.text("name"), in: $0.text("environment")) }
    }

    private static func strayRows(_ database: Database) throws -> [StrayRow] {
        let sql = "SELECT 1 FROM behaviorAudit WHERE sequence = ?"
        return try Row.fetchAll(database, sql: sql, arguments: [Int.min]).map { _ in .row }
    }

    private static func strayRevisions(_ database: Database) throws -> [StrayRow] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT environment, name, number FROM behaviorRevision
                LEFT JOIN behaviorDocument USING (environment, name)
                WHERE latest IS NULL OR number = ? ORDER BY environment, name, number LIMIT ?
                """,
            arguments: [Int.max, StrayRow.maximumCount]
        ).map { row in
            .revision(
                row.integer("number") ?? 0,
                of: row.text("name"),
                in: row.text("environment")
            )
        }
    }
}
