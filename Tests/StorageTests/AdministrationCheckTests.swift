import GRDB
import Storage
import Testing

@Suite("Verification of the administration's audit")
struct AdministrationCheckTests {
    private let database: DatabaseQueue
    private let ada = AdministrationAuthor(id: "1", name: "ada", address: "127.0.0.1")

    init() throws {
        database = try DatabaseQueue()
        try database.write { database in
            try AdministrationLog.create(in: database)
            func add(
                _ change: AdministrationChange,
                _ name: String,
                _ before: String?,
                _ after: String?
            ) throws {
                try AdministrationLog.add(
                    change,
                    of: name,
                    from: before,
                    to: after,
                    by: ada,
                    at: 1_700_000_000,
                    in: database
                )
            }
            try add(.createToken, "a", nil, "1")
            try add(.createToken, "b", nil, "2")
            try add(.setPlug, "a", nil, "\"x\"")
            try add(.rotateToken, "a", "1", "3")
            try add(.revokeToken, "b", "2", nil)
            try add(.rejectCredentials, "", nil, "{}")
        }
    }

    /// Checks the rows after an edit, with these tokens and this plug.
    private func findings(
        after sql: String = "",
        expecting hash: String? = nil,
        tokens: [(name: String, state: String)] = [("a", "3")],
        plug: String? = "\"x\""
    ) throws -> [String] {
        try database.write { database in
            try database.execute(sql: sql)
            var check = try AdministrationCheck(database, expecting: hash)
            check.compare(.token, with: tokens)
            check.compare(.plug, with: plug.map { [("a", $0)] } ?? [])
            return check.findings + (check.hasExpected ? [] : ["the head is missing"])
        }
    }

    @Test("finds no problems in an unchanged database, and finds each row by its hash")
    func unchanged() throws {
        #expect(try findings() == [])
        let hashes = try database.read {
            try String.fetchAll($0, sql: "SELECT hash FROM administrationAudit")
        }
        #expect(hashes.count == 6)
        for hash in hashes { #expect(try findings(expecting: hash) == []) }
    }

    @Test("finds a token or plug that no row created, that differs or that is missing")
    func stored() throws {
        #expect(
            try findings(tokens: [("a", "3"), ("evil", "4")])
                == ["administration: no row created token evil"]
        )
        #expect(
            try findings(tokens: [("a", "9")]) == ["administration: token a differs from the rows"]
        )
        #expect(
            try findings(tokens: [])
                == ["administration: token a is missing: no row removed it"]
        )
        // Revoked, and there again.
        #expect(
            try findings(tokens: [("a", "3"), ("b", "2")])
                == ["administration: no row created token b"]
        )
        #expect(
            try findings(plug: "\"y\"") == ["administration: plug a differs from the rows"]
        )
        #expect(
            try findings(plug: nil) == ["administration: plug a is missing: no row removed it"]
        )
    }

    @Test(
        "finds edited, removed, inserted and moved rows, also with invalid columns",
        arguments: [
            "UPDATE administrationAudit SET author = 'eve' WHERE sequence = 2",
            "UPDATE administrationAudit SET author_name = '' WHERE sequence = 1",
            "UPDATE administrationAudit SET at = 1 WHERE sequence = 6",
            "UPDATE administrationAudit SET after = NULL WHERE sequence = 6",
            "UPDATE administrationAudit SET reason = 'x' WHERE sequence = 3",
            "UPDATE administrationAudit SET change = x'00', hash = 5 WHERE sequence = 3",
            "UPDATE administrationAudit SET sequence = 9 WHERE sequence = 6",
            "DELETE FROM administrationAudit WHERE sequence = 1",
            "DELETE FROM administrationAudit WHERE sequence = 3",
            """
            INSERT INTO administrationAudit SELECT 7, at, author, author_name, address, change, name,
                before, after, reason, previous, hash FROM administrationAudit WHERE sequence = 2
            """,
        ]
    )
    func edited(_ sql: String) throws {
        #expect(try !findings(after: sql).isEmpty)
    }

    @Test("only an expected hash reveals that the last rows were removed")
    func cut() throws {
        let last = try database.read { try AdministrationLog.head(of: $0) }
        let cut = "DELETE FROM administrationAudit WHERE sequence = 6"
        #expect(try findings(after: cut) == [])
        #expect(try findings(expecting: last.hash) == ["the head is missing"])
    }

    @Test("control characters of an author's names are escaped")
    func names() {
        let author = AdministrationAuthor(id: "a\u{1B}[2J", name: "b\n", address: "c\u{9B}")
        #expect(author.id == "a\\u001b[2J" && author.name == "b\\n" && author.address == "c\\u009b")
    }
}
