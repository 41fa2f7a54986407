extension SQLStatement {
    /// Selects tables that aren't as a schema makes them: a view instead of a table, a trigger, a
    /// rule, rows that are hidden or inherited, no primary key, another collation.
    ///
    /// The rows have the table's `name` and `how` it differs. Each of `keys` is a table with a column
    /// that has to compare by bytes.
    package static func tableDifferences(
        of tables: [String],
        comparing keys: [(table: String, column: String)],
        limit: Int
    ) -> SQLStatement {
        let names = list(tables.map { table -> SQLStatement in "to_regclass(\(table))" })
        // A list of no pairs isn't SQL.
        let pairs = list(
            ([("", "")] + keys).map { table, column -> SQLStatement in "(\(table), \(column))" }
        )
        return """
            WITH part AS (
                SELECT class.*, class.relname::text AS name FROM pg_class AS class
                WHERE class.oid IN (\(names))
            )
            SELECT name, how FROM part CROSS JOIN LATERAL (
                SELECT 'is no table' AS how WHERE relkind <> 'r'
                UNION ALL SELECT 'has the trigger ' || tgname FROM pg_trigger
                    WHERE tgrelid = part.oid AND NOT tgisinternal
                UNION ALL SELECT 'has the rule ' || rulename FROM pg_rewrite
                    WHERE ev_class = part.oid AND relkind = 'r'
                UNION ALL SELECT 'shows some rows and others not' WHERE relrowsecurity
                UNION ALL SELECT 'has rows of ' || inhrelid::regclass::text FROM pg_inherits
                    WHERE inhparent = part.oid
                UNION ALL SELECT 'has no primary key' WHERE relkind = 'r' AND NOT EXISTS (
                    SELECT FROM pg_index WHERE indrelid = part.oid AND indisprimary AND indisvalid
                )
                UNION ALL SELECT 'compares its ' || attname || ' otherwise' FROM pg_attribute
                    WHERE attrelid = part.oid AND (name, attname::text) IN (\(pairs))
                        AND attcollation NOT IN (
                            SELECT oid FROM pg_collation WHERE collname = 'C'
                        )
            ) AS stray ORDER BY name, how LIMIT \(limit)
            """
    }

    /// Joins statements with commas.
    package static func list(_ parts: [SQLStatement]) -> SQLStatement {
        guard let first = parts.first else { return "" }
        return parts.dropFirst().reduce(first) { "\($0), \($1)" }
    }
}
