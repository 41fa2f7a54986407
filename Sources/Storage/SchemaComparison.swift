package import GRDB

// SQLite runs a trigger with each change, reads a view as a table, and stores any value in any
// column. So an edit of the schema changes data without a trace in the audit.

extension Schema {
    /// The most differences in a report.
    private static let maximumCount = 25

    /// A table, index, trigger or view.
    private struct Part: Equatable {
        let type: String
        let name: String
        let table: String
        let sql: String

        var title: String { "\(type) \(name)" }

        init(_ row: Row) {
            func text(_ column: String) -> String {
                String.fromDatabaseValue(row.storedValue(column)) ?? ""
            }
            type = text("type")
            name = text("name")
            table = text("tbl_name")
            sql = text("sql")
        }

        static func all(_ database: Database) throws -> [Part] {
            try Row.fetchAll(
                database,
                sql: "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name"
            ).map(Part.init)
        }

        /// Whether the part belongs to one of these tables, or is a trigger or view that names one.
        ///
        /// A trigger of an app's table may write into the tables, too.
        func concerns(_ tables: Set<String>) -> Bool {
            if tables.contains(table.lowercased()) || tables.contains(name.lowercased()) {
                return true
            }
            guard type == "trigger" || type == "view" else { return false }
            return sql.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "$" }
                .contains { tables.contains(String($0)) }
        }
    }

    /// Returns the differences between a database and the schemas that were created in it, a phrase
    /// each.
    ///
    /// It reports other tables, triggers, views and indexes, and values of another type than their
    /// column's. The tables of other users are ignored.
    package static func differences(
        of database: Database,
        from schemas: [Schema]
    ) throws -> [String] {
        let migrations = try Row.fetchAll(database, sql: "SELECT identifier FROM grdb_migrations")
            .compactMap { String.fromDatabaseValue($0.storedValue("identifier")) }
        var tables: Set<String> = []
        var made: [String: Part] = [:]
        var columns: [Column] = []
        for schema in schemas {
            let isHere = schema.isCurrent(in: migrations)
            try schema.inMemory { database in
                for part in try Part.all(database) {
                    if part.type == "table" { tables.insert(part.name.lowercased()) }
                    guard isHere, made.updateValue(part, forKey: part.title) == nil,
                        part.type == "table"
                    else { continue }
                    columns += try Column.all(of: part.name, database)
                }
            }
        }
        let here = Dictionary(
            try Part.all(database).filter { $0.concerns(tables) }.map { ($0.title, $0) },
            uniquingKeysWith: { one, _ in one }
        )
        let parts = Set(made.keys).union(here.keys).sorted().filter { made[$0] != here[$0] }
            .map { title in
                let difference =
                    here[title] == nil
                    ? "is missing"
                    : made[title] == nil ? "isn't in the schema" : "differs from the schema"
                return "the \(title) \(difference)"
            }
        let values =
            try columns.filter { column in
                // Another table may have other columns.
                let title = "table \(column.table)"
                return here[title] == made[title]
            }
            .compactMap { try $0.difference(in: database) }
        return Array((parts + values).prefix(maximumCount))
    }

    /// A table's column.
    private struct Column {
        let table: String
        let name: String
        let type: String
        let isNullable: Bool

        static func all(of table: String, _ database: Database) throws -> [Column] {
            try database.columns(in: table).map { column in
                Column(
                    table: table,
                    name: column.name,
                    type: column.type.uppercased(),
                    isNullable: !column.isNotNull
                )
            }
        }

        /// The SQL condition of a value with another type; nil for a column of any type.
        private var isOther: String? {
            switch type {
            // SQLite compares such a text whole, while GRDB reads it only up to the first NUL.
            case "TEXT": "typeof(value) <> 'text' OR instr(CAST(value AS BLOB), x'00') > 0"
            case "INTEGER", "BOOLEAN": "typeof(value) <> 'integer'"
            case "BLOB": "typeof(value) <> 'blob'"
            default: nil
            }
        }

        /// Returns the number of invalid values in words; nil if there is none.
        func difference(in database: Database) throws -> String? {
            guard let isOther else { return nil }
            let isChecked = isNullable ? "value IS NOT NULL" : "TRUE"
            let count = try Int.fetchOne(
                database,
                sql: """
                    SELECT count(*) FROM (SELECT \(name.quotedDatabaseIdentifier) AS value
                        FROM \(table.quotedDatabaseIdentifier)) WHERE \(isChecked) AND (\(isOther))
                    """
            )
            guard let count, count > 0 else { return nil }
            return
                "\(table).\(name) has \(count == 1 ? "an invalid value" : "\(count) invalid values")"
        }
    }
}
