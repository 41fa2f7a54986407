import PostgreSQL

extension PostgreSQLBehaviors {
    /// Finds tables that aren't as the schema makes them: a view instead of a table, a trigger,
    /// another collation.
    package func foreignParts() async throws -> [StrayRow] {
        let keys = ["plugboard_document", "plugboard_record", "plugboard_revision"]
        return try await read(
            .tableDifferences(
                of: ["plugboard_audit"] + keys,
                comparing: keys.flatMap { table in
                    ["environment", "name", "kind", "item"].map { (table, $0) }
                },
                limit: StrayRow.maximumCount
            )
        ).map { row in
            .part("the table \(try row.get("name", as: String.self))", try row.get("how"))
        }
    }
}
