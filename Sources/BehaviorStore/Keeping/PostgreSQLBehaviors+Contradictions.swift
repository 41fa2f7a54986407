import PostgreSQL

// What an edit of the database may leave that nothing reads.

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
            ORDER BY environment, name, number LIMIT \(StrayRow.greatestCount)
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
        return (documents.prefix(StrayRow.greatestCount) + revisions + StrayRow.records(kinds))
            .map(\.description)
    }
}
