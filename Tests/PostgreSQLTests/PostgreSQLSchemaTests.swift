import Testing

@testable import PostgreSQL

@Suite("A schema of PostgreSQL", .withDatabase, .serialized)
struct PostgreSQLSchemaTests {
    private static let first: [SQLStatement] = ["CREATE TABLE migrated (text text NOT NULL)"]
    private static let second: [SQLStatement] = [
        "ALTER TABLE migrated ADD COLUMN number bigint NOT NULL DEFAULT 7"
    ]

    private func schema(_ changes: [[SQLStatement]] = []) -> PostgreSQLSchema {
        PostgreSQLSchema("migrated_schema", Self.first, then: changes)
    }

    private func dropAll(_ client: PostgreSQLClient) async throws {
        try await client.run("DROP TABLE IF EXISTS migrated_schema")
        try await client.run("DROP TABLE IF EXISTS migrated")
    }

    @Test("a later version changes an earlier one's tables, which the earlier one then rejects")
    func migration() async throws {
        let client = try TestDatabase.client()
        try await dropAll(client)
        _ = try await schema().write(client) {
            try await client.run("INSERT INTO migrated VALUES ('a')")
        }
        let later = schema([Self.second])
        try await later.check(client)
        try await later.check(client)
        let rows = try await client.run("SELECT text, number FROM migrated")
        #expect(rows.count == 1)
        #expect(try rows.first?.get("text") == "a")
        #expect(try rows.first?.get("number") == 7)
        let error = await #expect(throws: PostgreSQLError.self) { try await schema().check(client) }
        #expect(
            error?.description.contains(
                "migrated_schema has version 2, and this version knows 1; start the version that wrote it"
            ) == true,
            "\(String(describing: error))"
        )
        try await dropAll(client)
    }

    @Test("a new database has the tables of the current version at once")
    func new() async throws {
        let client = try TestDatabase.client()
        try await dropAll(client)
        _ = try await schema([Self.second]).write(client) {
            try await client.run("INSERT INTO migrated VALUES ('a', 8)")
        }
        let rows = try await client.run("SELECT max(version) AS version FROM migrated_schema")
        #expect(try rows.first?.get("version") == 2)
        try await dropAll(client)
    }

    @Test("versions that no schema has are rejected", arguments: [-1, 0, 3])
    func invalid(version: Int) async throws {
        let client = try TestDatabase.client()
        try await dropAll(client)
        try await client.run("CREATE TABLE migrated_schema (version bigint NOT NULL)")
        try await client.run("INSERT INTO migrated_schema VALUES (\(version))")
        await #expect(throws: PostgreSQLError.self) {
            try await schema([Self.second]).check(client)
        }
        try await dropAll(client)
    }
}
