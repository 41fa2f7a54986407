import AdministrationStore
import GRDB
import Identity
import Storage
import Testing

@testable import Plugboard

/// Edits of the data folder's database by another program.
@Suite("An edited database of tokens and plugs")
struct EditedAdministrationTests {
    private let folder: TemporaryFolder
    private let storage: Storage
    private let administration: SQLiteAdministration
    private let tokens: TokenStore

    init() throws {
        folder = try TemporaryFolder()
        storage = Storage.of(folder["data"])
        administration = DataFolder.administration(in: storage)
        tokens = TokenStore(administration)
    }

    private func edit(_ sql: String) async throws {
        try await storage.write(.administration) { try $0.execute(sql: sql) }
    }

    private func findings() async throws -> [String] {
        try #require(try await administration.checkAdministration()).findings
    }

    private func verdict(_ text: String) throws -> TokenStore.Verdict {
        try Array(text.utf8).withUnsafeBufferPointer { try TokenStore(storage).verify($0) }
    }

    /// Creates all tables, with a row in each.
    private func fill() async throws -> (text: String, record: TokenRecord) {
        let made = try await tokens.create(name: "ada", scopes: ["a"])
        try await PlugStore(administration).store(.plug("one"), of: "Act", by: .server)
        let claim = IdempotencyClaim(.init(caller: "ada", action: "Pay", key: "1"), [1])
        _ = try await SQLiteIdempotency(storage).begin(claim, for: "a")
        return made
    }

    @Test("a used database has no findings, and other users' tables are ignored")
    func unchanged() async throws {
        let made = try await fill()
        #expect(try await tokens.revoke(made.record.id))
        try await edit(
            """
            CREATE TABLE session_token (text TEXT, token INTEGER);
            CREATE INDEX session ON session_token (token);
            CREATE VIEW sessions AS SELECT text FROM session_token;
            INSERT INTO session_token VALUES (1, 'x')
            """
        )
        #expect(try await findings() == [])
    }

    @Test("a revoked token with a restored digest is invalid, and is found")
    func restored() async throws {
        let made = try await fill()
        let digest = try #require(
            try await storage.read(.administration) {
                try String.fetchOne($0, sql: "SELECT hex(digest) FROM token")
            }
        )
        #expect(try await tokens.revoke(made.record.id))
        try await edit("UPDATE token SET digest = x'\(digest ?? "")'")
        #expect(try verdict(made.text) == .unknown)
        #expect(
            try await findings()
                == ["administration: token \(made.record.id) is revoked, but has a digest"]
        )
    }

    @Test("a token that is only marked as revoked is invalid, and is found")
    func inserted() async throws {
        let made = try await fill()
        try await edit("UPDATE token SET revoked = 1")
        #expect(try verdict(made.text) == .unknown)
        let id = made.record.id
        #expect(
            try await findings() == [
                "administration: token \(id) is revoked, but has a digest",
                "administration: token \(id) is missing: no row removed it",
                "administration: token \(id) is marked as removed, but no row removed it",
            ]
        )
    }

    @Test(
        "triggers, views and other tables are found",
        arguments: [
            (
                """
                CREATE TRIGGER back AFTER UPDATE OF revoked ON token
                BEGIN UPDATE token SET revoked = NULL; END
                """,
                "the trigger back isn't in the schema"
            ),
            (
                """
                CREATE TRIGGER far AFTER INSERT ON grdb_migrations
                BEGIN DELETE FROM "PLUG"; END
                """,
                "the trigger far isn't in the schema"
            ),
            (
                """
                CREATE TABLE other (text TEXT);
                CREATE TRIGGER other_added AFTER INSERT ON other
                BEGIN UPDATE [administrationaudit] SET at = 1; END
                """,
                "the trigger other_added isn't in the schema"
            ),
            (
                """
                ALTER TABLE token RENAME TO kept;
                CREATE VIEW token AS SELECT * FROM kept WHERE name <> 'eve'
                """,
                "the view token isn't in the schema"
            ),
            (
                """
                ALTER TABLE administrationAudit RENAME TO kept;
                CREATE VIEW administrationAudit AS SELECT 1 AS sequence
                """,
                "the view administrationAudit isn't in the schema"
            ),
            (
                """
                DROP TABLE administrationAudit;
                CREATE VIEW administrationAudit AS SELECT 1 AS other
                """,
                "the table administrationAudit is missing"
            ),
            (
                "DROP TABLE token; CREATE VIEW token AS SELECT 1 AS position",
                "the table token is missing"
            ),
            ("CREATE INDEX more ON plug (plan)", "the index more isn't in the schema"),
            ("DROP INDEX administrationAuditName", "the index administrationAuditName is missing"),
            ("DROP TRIGGER idempotency_added", "the trigger idempotency_added is missing"),
            ("ALTER TABLE idempotency ADD x TEXT", "the table idempotency differs from the schema"),
            (
                "UPDATE token SET name = CAST('ada' AS BLOB)",
                "token.name has an invalid value"
            ),
            (
                "UPDATE administrationAudit SET reason = 'a' || char(0) || 'b' WHERE sequence = 1",
                "administrationAudit.reason has an invalid value"
            ),
            ("UPDATE plug SET plan = x'00'", "plug.plan has an invalid value"),
            ("UPDATE idempotency SET lease = 'x'", "idempotency.lease has an invalid value"),
        ]
    )
    func parts(sql: String, part: String) async throws {
        _ = try await fill()
        #expect(try await findings() == [])
        try await edit(sql)
        let found = try await findings()
        #expect(found.contains("administration: \(part)"), "\(found)")
        // No reader traps.
        _ = try? await tokens.standing(of: "000000000001")
        _ = try? await tokens.list()
        _ = try? await PlugStore(administration).plans()
        _ = try? await administration.auditRows(after: 0, limit: 10)
    }

    @Test(
        "a token with an invalid value is invalid, and is found",
        arguments: [
            "number = -1", "number = 1 << 50", "number = 1 << 48", "number = 'x'",
            "number = x'00'", "number = 1.5", "created = -9223372036854775808", "created = 'x'",
            "created = 9223372036854775807", "expires = -9223372036854775808", "expires = 'x'",
            "expires = 9223372036854775807", "used = -9223372036854775808", "used = x'00'",
            "revoked = 'x'", "revoked = -1",
        ]
    )
    func values(_ column: String) async throws {
        let made = try await fill()
        try await edit("UPDATE token SET \(column)")
        #expect(try verdict(made.text) == .unknown)
        #expect(try await tokens.list() == [])
        #expect(try await tokens.rotate(made.record.id) == nil)
        #expect(try await !tokens.revoke(made.record.id))
        let found = try await findings()
        #expect(
            found.contains("administration: the token at position 1 has an invalid value"),
            "\(found)"
        )
    }

    @Test("a plan that isn't text is ignored", arguments: ["plan = x'FF'", "action = x'FF'"])
    func plans(_ column: String) async throws {
        _ = try await fill()
        try await edit("UPDATE plug SET \(column)")
        #expect(try await PlugStore(administration).plans().plans.isEmpty)
    }

    @Test(
        "an invalid value in a key's record is an error of the data folder",
        arguments: [
            "lease = 'x'", "lease = x'00'", "status = 'x'", "status = -1", "status = 70000",
            "kept = 'x'", "fingerprint = 1", "run = x'FF'",
        ]
    )
    func keys(_ column: String) async throws {
        _ = try await fill()
        try await edit("UPDATE idempotency SET \(column)")
        let claim = IdempotencyClaim(.init(caller: "ada", action: "Pay", key: "1"), [1])
        await #expect(throws: StorageError.self) {
            _ = try await SQLiteIdempotency(storage).begin(claim, for: "b")
        }
    }

    @Test("extreme counts and times of keys don't overflow")
    func keyEnds() async throws {
        _ = try await fill()
        let claim = IdempotencyClaim(.init(caller: "ada", action: "Pay", key: "2"), [1])
        for end in [Int.min, Int.max] {
            try await edit(
                """
                UPDATE idempotency_counts SET count = \(end), bytes = \(end);
                UPDATE idempotency SET created = \(end)
                """
            )
            _ = try await SQLiteIdempotency(storage).begin(claim, for: "b")
        }
    }

    @Test("an audit with the greatest row number accepts no more rows")
    func lastRow() async throws {
        _ = try await fill()
        try await edit("UPDATE administrationAudit SET sequence = \(Int.max) WHERE sequence = 2")
        #expect(try await !findings().isEmpty)
        await #expect(throws: AdministrationError.self) {
            try await tokens.create(name: "bob", scopes: ["a"])
        }
    }
}
