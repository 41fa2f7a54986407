import PostgreSQL

// Finds traces of an edit of the database that no query reads.

extension PostgreSQLBehaviors {
    package func contradictions() async throws -> [String] {
        let documents: [StrayRow] = try await read(
            "SELECT environment, name FROM plugboard_document"
        ).compactMap { row in
            let (name, environment): (String, String) = (
                try row.get("name"), try row.get("environment")
            )
            guard DocumentKey(name, in: environment) == nil else { return nil }
            return .document(name, in: environment)
        }
        let revisions: [StrayRow] = try await read(
            """
            SELECT environment, name, number FROM plugboard_revision
            LEFT JOIN plugboard_document USING (environment, name)
            WHERE latest IS NULL OR number = \(Int.max)
            ORDER BY environment, name, number LIMIT \(StrayRow.maximumCount)
            """
        ).map { row in
            .revision(
                try row.get("number"),
                of: try row.get("name"),
                in: try row.get("environment")
            )
        }
        let kinds: [String] = try await read(
            "SELECT DISTINCT kind FROM plugboard_record ORDER BY kind"
        ).map { try $0.get("kind") }
        let rows: [StrayRow] = try await read(
            "SELECT 1 FROM plugboard_audit WHERE sequence = \(Int.min)"
        ).map { _ in .row }
        let parts = try await foreignParts() + rows
        return
            (parts + documents.prefix(StrayRow.maximumCount) + revisions + StrayRow.records(kinds))
            .map(\.description)
    }

    /// Finds tables that aren't as the schema makes them: a view instead of a table, a trigger,
    /// another collation.
    private func foreignParts() async throws -> [StrayRow] {
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
