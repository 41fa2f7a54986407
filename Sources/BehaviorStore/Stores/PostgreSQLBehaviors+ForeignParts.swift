import PostgreSQL

extension PostgreSQLBehaviors {
    /// Finds tables that aren't as the schema makes them: a view instead of a table, a trigger,
    /// another collation.
    package func foreignParts() async throws -> [StrayRow] {
        try await read(
            """
            WITH part AS (
                SELECT class.*, class.relname::text AS name FROM pg_class AS class
                WHERE class.oid IN (
                    to_regclass('plugboard_audit'), to_regclass('plugboard_revision'),
                    to_regclass('plugboard_document'), to_regclass('plugboard_record')
                )
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
                    WHERE attrelid = part.oid AND attname IN ('environment', 'name', 'kind', 'item')
                        AND name <> 'plugboard_audit'
                        AND attcollation NOT IN (
                            SELECT oid FROM pg_collation WHERE collname = 'C'
                        )
            ) AS stray ORDER BY name, how LIMIT \(StrayRow.maximumCount)
            """
        ).map { row in
            .part("the table \(try row.get("name", as: String.self))", try row.get("how"))
        }
    }
}
