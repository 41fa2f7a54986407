import GRDB
import Storage

// Finds traces of an edit of the file that no query reads, or that a query reads differently.

extension SQLiteBehaviors {
    package func foreignParts() async throws -> [StrayRow] {
        try await read { database in
            let parts = try Self.foreignParts(database)
            return try parts.map(\.finding)
                + Self.strayValues(database, edited: Set(parts.map(\.part)))
        } ?? []
    }

    /// The columns of each table by type; bytes are checked by their digest.
    private static let columns: [(table: String, texts: [String], integers: [String])] = [
        ("plugboard_document", ["environment", "name"], ["latest", "live", "since"]),
        (
            "plugboard_revision",
            ["environment", "name", "author", "author_name", "message", "digest"],
            ["number", "size", "created"]
        ),
        ("plugboard_record", ["kind", "environment", "name", "item", "value"], []),
        (
            "plugboard_audit",
            [
                "author", "author_name", "address", "change", "environment", "name", "before",
                "after", "previous", "hash",
            ],
            ["sequence", "at"]
        ),
    ]

    /// Finds parts of the schema that aren't as it makes them: a view instead of a table, a
    /// trigger, another collation.
    private static func foreignParts(
        _ database: Database
    ) throws -> [(part: String, finding: StrayRow)] {
        func parts(_ database: Database) throws -> [String: String] {
            try Row.fetchAll(
                database,
                sql: """
                    SELECT type || ' ' || name AS part, ifnull(sql, '') AS sql FROM sqlite_schema
                    WHERE tbl_name LIKE 'plugboard%' OR sql LIKE '%plugboard%' ORDER BY name
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
                return (part, .part("the \(part)", how))
            }
    }

    /// SQLite stores any value in any column.
    ///
    /// It compares a text whole, while GRDB reads it only up to the first NUL. A view in place of a
    /// table may lack the columns, or have endless rows.
    private static func strayValues(
        _ database: Database,
        edited: Set<String>
    ) throws -> [StrayRow] {
        var found: [StrayRow] = []
        for (table, texts, integers) in columns where !edited.contains("table \(table)") {
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
}
