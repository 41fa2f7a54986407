import Testing

@testable import PostgreSQL

extension PostgreSQLSchemaTests {
    /// The checks of a server's start, with the database's users and their permissions.
    @Suite("The check of a schema", .withDatabase, .serialized)
    struct Check {
        private static let tables: [SQLStatement] = [
            "CREATE TABLE checked (id bigint PRIMARY KEY, text text NOT NULL)",
            "INSERT INTO checked VALUES (\(7), \("it's"))",
            "CREATE SEQUENCE IF NOT EXISTS checked_number",
        ]
        private static let change: [SQLStatement] = ["CREATE INDEX checked_text ON checked (text)"]

        private func schema(_ changes: [[SQLStatement]] = []) -> PostgreSQLSchema {
            PostgreSQLSchema("checked_schema", Self.tables, then: changes)
        }

        /// A client that may not migrate.
        private func fixedClient() throws -> PostgreSQLClient {
            var configuration = PostgreSQLConfiguration()
            configuration.migrates = false
            return try TestDatabase.client(configuration)
        }

        /// A client of a user without any permission, and that of the database's owner.
        private func clients() async throws -> (limited: PostgreSQLClient, owner: PostgreSQLClient)
        {
            let owner = try TestDatabase.client()
            try await owner.run("DROP TABLE IF EXISTS checked, checked_schema")
            try await owner.run("DROP SEQUENCE IF EXISTS checked_number")
            try await owner.run(
                """
                DO $$ BEGIN CREATE ROLE limited LOGIN PASSWORD 'limited';
                EXCEPTION WHEN duplicate_object THEN NULL; END $$
                """
            )
            try await owner.run("REVOKE CREATE ON SCHEMA public FROM PUBLIC")
            let url = "postgres://limited:limited@/postgres?host=\(try TestDatabase.folder())"
            return (try PostgreSQLClient(PostgreSQLAddress(url)), owner)
        }

        private func unprepared(
            _ text: String,
            _ body: () async throws -> Void
        ) async {
            let error = await #expect(throws: PostgreSQLError.self) { try await body() }
            #expect(error?.isUnprepared == true)
            #expect(error?.kind == .unavailable)
            #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
        }

        @Test("missing tables need the command migrate if the client may not create them")
        func missing() async throws {
            let (_, owner) = try await clients()
            let fixed = try fixedClient()
            let text = "the tables of checked_schema are missing: run the command migrate"
            await unprepared(text) { try await schema().check(fixed) }
            await unprepared(text) { try await schema().write(fixed) {} }
            let rows = try await owner.run("SELECT to_regclass('checked')::text AS name")
            #expect(try rows.first?.get("name", as: String?.self) == .some(nil))
            #expect(try await schema().migrate(owner) == 0)
            try await schema().check(fixed)
            try await schema().write(fixed) {}
        }

        @Test("old tables need the command migrate if the client may not change them")
        func old() async throws {
            let (_, owner) = try await clients()
            try await schema().migrate(owner)
            let fixed = try fixedClient()
            let later = schema([Self.change])
            await unprepared("checked_schema has version 1, and this version needs 2") {
                try await later.check(fixed)
            }
            #expect(try await later.migrate(owner) == 1)
            #expect(try await later.migrate(owner) == 2)
            try await later.check(fixed)
        }

        @Test("a user that can't create tables is found before its first write")
        func forbidden() async throws {
            let (limited, _) = try await clients()
            let text = "the user can't create the tables of checked_schema"
            await unprepared(text) { try await schema().check(limited) }
            await unprepared(text) { try await schema().write(limited) {} }
            await unprepared(text) { try await schema().migrate(limited) }
        }

        @Test("a user without permissions for existing tables is found, and needs only the grants")
        func grants() async throws {
            let (limited, owner) = try await clients()
            try await schema().migrate(owner)
            await unprepared("can't read and write checked_schema: grant it what migrate --print") {
                try await schema().check(limited)
            }
            try await owner.run("GRANT SELECT ON checked_schema, checked TO limited")
            await unprepared("can't read and write checked:") { try await schema().check(limited) }
            try await schema().grant(to: "limited", owner)
            try await schema().check(limited)
            try await schema().write(limited) {
                try await limited.run("INSERT INTO checked VALUES (nextval('checked_number'), 'a')")
            }
            #expect(try await schema().migrate(limited) == 1)
        }

        @Test("the script has the missing statements alone, and makes the tables")
        func script() async throws {
            let (_, owner) = try await clients()
            let later = schema([Self.change])
            #expect(
                later.script(after: nil) == [
                    "CREATE TABLE IF NOT EXISTS checked_schema (version bigint NOT NULL);",
                    "CREATE TABLE checked (id bigint PRIMARY KEY, text text NOT NULL);",
                    "INSERT INTO checked VALUES (7, 'it''s');",
                    "CREATE SEQUENCE IF NOT EXISTS checked_number;",
                    "CREATE INDEX checked_text ON checked (text);",
                    "INSERT INTO checked_schema VALUES (2);",
                ]
            )
            #expect(
                later.script(after: 1).dropFirst() == [
                    "CREATE INDEX checked_text ON checked (text);",
                    "INSERT INTO checked_schema VALUES (2);",
                ]
            )
            #expect(later.script(after: 2) == [])
            for statement in later.script(after: nil) {
                try await owner.run(SQLStatement(stringLiteral: statement))
            }
            try await later.check(try fixedClient())
            let rows = try await owner.run("SELECT text FROM checked")
            #expect(try rows.first?.get("text") == "it's")
        }

        @Test("the grants name each table and sequence, and quote the user")
        func grantTexts() {
            #expect(
                schema().grants(to: #"a"b"#) == [
                    #"GRANT SELECT ON checked_schema TO "a""b";"#,
                    #"GRANT SELECT, INSERT, UPDATE, DELETE ON checked TO "a""b";"#,
                    #"GRANT USAGE ON SEQUENCE checked_number TO "a""b";"#,
                ]
            )
        }

        @Test(
            "a parameter in a script is a literal",
            arguments: [
                (SQLValue.null, "NULL"), (.bool(true), "true"), (.int(-7), "-7"),
                (.double(0.5), "0.5"), (.text(#"it's \"#), #"'it''s \'"#),
                (.bytes([0, 255]), #"'\x00ff'"#),
            ]
        )
        func literals(_ value: SQLValue, _ text: String) {
            let statement: SQLStatement = "SELECT \(value)"
            #expect(statement.literalText == "SELECT \(text)")
        }
    }
}
