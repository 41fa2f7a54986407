import AdministrationStore
import PostgreSQL
import TestDatabase
import Testing

@Suite("Verification of the administration's audit")
struct AdministrationCheckTests {
    /// Makes a store with six rows.
    private func place(_ kind: AdministrationKind) async throws -> AdministrationPlace {
        let place = try AdministrationPlace(kind)
        let ada = AdministrationAuthor(id: "1", name: "ada", address: "127.0.0.1")
        try await place.backend().change(at: 1_700_000_000) { update in
            func add(
                _ change: AdministrationChange,
                _ name: String,
                _ before: String?,
                _ after: String?
            ) throws {
                try update.record(change, of: name, from: before, to: after, by: ada)
            }
            try add(.createToken, "a", nil, "1")
            try add(.createToken, "b", nil, "2")
            try add(.setPlug, "a", nil, "\"x\"")
            try add(.rotateToken, "a", "1", "3")
            try add(.revokeToken, "b", "2", nil)
            try add(.rejectCredentials, "", nil, "{}")
        }
        return place
    }

    /// Checks the rows, with these tokens and this plug.
    private func findings(
        _ place: AdministrationPlace,
        expecting hash: String? = nil,
        tokens: [(name: String, state: String)] = [("a", "3")],
        plug: String? = "\"x\""
    ) async throws -> [String] {
        let check = try await place.backend().check(expecting: hash, [], []) { check, _ in
            check.compare(.token, with: tokens)
            check.compare(.plug, with: plug.map { [("a", $0)] } ?? [])
        }
        let found = try #require(check)
        return found.findings + (found.hasExpected ? [] : ["the head is missing"])
    }

    @Test(
        "finds no problems in an unchanged store, and finds each row by its hash",
        arguments: AdministrationKind.allCases
    )
    func unchanged(kind: AdministrationKind) async throws {
        let place = try await place(kind)
        #expect(try await findings(place) == [])
        let rows = try await place.backend().auditRows(after: 0, limit: 100)
        #expect(rows.count == 6)
        for row in rows { #expect(try await findings(place, expecting: row.hash) == []) }
    }

    @Test("finds a token or plug that no row created, that differs or that is missing")
    func stored() async throws {
        let place = try await place(.sqlite)
        #expect(
            try await findings(place, tokens: [("a", "3"), ("evil", "4")])
                == ["administration: no row created token evil"]
        )
        #expect(
            try await findings(place, tokens: [("a", "9")])
                == ["administration: token a differs from the rows"]
        )
        #expect(
            try await findings(place, tokens: [])
                == ["administration: token a is missing: no row removed it"]
        )
        // Revoked, and there again.
        #expect(
            try await findings(place, tokens: [("a", "3"), ("b", "2")])
                == ["administration: no row created token b"]
        )
        #expect(
            try await findings(place, plug: "\"y\"")
                == ["administration: plug a differs from the rows"]
        )
        #expect(
            try await findings(place, plug: nil)
                == ["administration: plug a is missing: no row removed it"]
        )
    }

    /// The edits that both databases accept.
    private static let edits = [
        "UPDATE audit SET author = 'eve' WHERE sequence = 2",
        "UPDATE audit SET author_name = '' WHERE sequence = 1",
        "UPDATE audit SET at = 1 WHERE sequence = 6",
        "UPDATE audit SET after = NULL WHERE sequence = 6",
        "UPDATE audit SET reason = 'x' WHERE sequence = 3",
        "UPDATE audit SET change = 'x', hash = '5' WHERE sequence = 3",
        "UPDATE audit SET sequence = 9 WHERE sequence = 6",
        "DELETE FROM audit WHERE sequence = 1",
        "DELETE FROM audit WHERE sequence = 3",
        """
        INSERT INTO audit SELECT 7, at, author, author_name, address, change, name, before, after,
            reason, previous, hash FROM audit WHERE sequence = 2
        """,
    ]

    @Test(
        "finds edited, removed, inserted and moved rows",
        arguments: AdministrationKind.allCases,
        edits
    )
    func edited(kind: AdministrationKind, sql: String) async throws {
        let place = try await place(kind)
        try place.run(sql.replacing(" audit", with: " " + place.tables.audit))
        #expect(try await !findings(place).isEmpty)
    }

    @Test("finds rows with invalid columns")
    func invalid() async throws {
        let place = try await place(.sqlite)
        try place.run(
            "UPDATE administrationAudit SET change = x'00', hash = 5 WHERE sequence = 3"
        )
        #expect(try await !findings(place).isEmpty)
    }

    @Test(
        "only an expected hash reveals that the last rows were removed",
        arguments: AdministrationKind.allCases
    )
    func cut(kind: AdministrationKind) async throws {
        let place = try await place(kind)
        let last = try await place.backend().head()
        try place.run("DELETE FROM \(place.tables.audit) WHERE sequence = 6")
        #expect(try await findings(place) == [])
        #expect(try await findings(place, expecting: last.hash) == ["the head is missing"])
    }

    @Test(
        "reads an audit of more than a page",
        arguments: AdministrationKind.allCases
    )
    func long(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        let backend = try place.backend()
        try await backend.change { update in
            for _ in 0..<1201 { try update.record(.rejectCredentials, to: "{}", by: .server) }
        }
        let check = try await backend.check(expecting: nil, [], []) { _, _ in }
        #expect(check?.findings == [] && check?.count == 1201)
    }

    @Test("control characters of an author's names are escaped")
    func names() {
        let author = AdministrationAuthor(id: "a\u{1B}[2J", name: "b\n", address: "c\u{9B}")
        #expect(author.id == "a\\u001b[2J" && author.name == "b\\n" && author.address == "c\\u009b")
    }
}
