import AdministrationStore
import Digests
import HTTPTypes
import Identity
import JSONCodec
import Plug
import PlugHTTP
import Plugboard
import PlugboardClient
import TestDatabase
import TestLog
import Testing

/// Each test has an action of its own, since plugs belong to the process.
@Suite("The audit of the administration", .serialized)
struct AdministrationAuditTests {
    private let journal = Journal()

    @Test(
        "has a row with the caller and the address for each change of a token or plug",
        arguments: AdministrationKind.allCases
    )
    func rows(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        let administration = try place.backend()
        class Audited: Action<Void, String>, GET { static var path: String { "/audited" } }
        Audited.named("one") <~ { "one" }
        Audited.named("two") <~ { "two" }
        Audited.self <~ "one"
        let root = try await TokenStore(administration).create(
            name: "root",
            scopes: ["admin", "audit:read"]
        )
        try await serving(place.server(journal.logger) { Audited.self }) { site in
            let client = Client(site.url, token: root.text)
            let made = try await client.send(
                CreateToken.self,
                .init(scopes: ["admin"], name: "bob")
            )
            try await client.send(RevokeToken.self, TokenID(id: made.info.id))
            _ = try await client.send(SetPlug.self, .init(action: "Audited", plan: "two"))
            _ = try await client.send(ResetPlug.self, .init(action: "Audited"))
            let rows = try await client.send(
                ListAudit.self,
                .init(after: 0, log: "administration")
            )
            #expect(
                rows.map(\.change) == [
                    "create token", "create token", "revoke token", "set plug", "reset plug",
                ]
            )
            #expect(rows.map(\.row) == [1, 2, 3, 4, 5])
            #expect(rows[0].author == "server" && rows[0].name == root.record.id)
            for row in rows.dropFirst() {
                #expect(row.author == root.record.id && row.authorName == "root")
                #expect(row.address?.hasPrefix("127.0.0.1") == true)
            }
            #expect(rows[1].name == made.info.id && rows[1].after?["name"] == "bob")
            #expect(rows[2].before == rows[1].after && rows[2].after == nil)
            #expect(rows[3].after == "two" && rows[4].before == "two" && rows[4].after == nil)
            let newest = try await client.send(
                ListAudit.self,
                .init(before: 5, limit: 1, log: "administration")
            )
            #expect(newest == [rows[3]])
            let none = try await client.send(ListAudit.self, .init())
            #expect(none.isEmpty)
            await #expect(throws: Problem.self) {
                try await client.send(ListAudit.self, .init(log: "other"))
            }
        }
        let check = try #require(try await administration.checkAdministration())
        #expect(check.findings == [] && check.count == 5)
    }

    @Test(
        "finds a token that was inserted, changed or deleted in the database",
        arguments: AdministrationKind.allCases
    )
    func injected(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        let administration = try place.backend()
        let tokens = TokenStore(administration)
        let bob = try await tokens.create(name: "bob", scopes: ["a"])
        try place.run(
            """
            INSERT INTO \(place.tables.token) (number, digest, name, scopes, created)
            VALUES (5, \(kind == .sqlite ? "x'00'" : "'\\x00'"), 'eve', 'admin', 0)
            """
        )
        #expect(
            try await administration.checkAdministration()?.findings
                == ["administration: no row created token 000000000005"]
        )
        try place.run(
            "DELETE FROM \(place.tables.token) WHERE number = 5",
            "UPDATE \(place.tables.token) SET scopes = 'admin'"
        )
        #expect(
            try await administration.checkAdministration()?.findings
                == ["administration: token \(bob.record.id) differs from the rows"]
        )
        try place.run("DELETE FROM \(place.tables.token)")
        #expect(
            try await administration.checkAdministration()?.findings
                == ["administration: token \(bob.record.id) is missing: no row removed it"]
        )
    }

    @Test(
        "finds a revoked token that was deleted from the database",
        arguments: AdministrationKind.allCases
    )
    func deletedRevoked(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        let administration = try place.backend()
        let tokens = TokenStore(administration)
        let bob = try await tokens.create(name: "bob", scopes: ["a"])
        let eve = try await tokens.create(name: "eve", scopes: ["a"])
        #expect(try await tokens.revoke(bob.record.id))
        #expect(try await tokens.revoke(eve.record.id))
        #expect(try await administration.checkAdministration()?.findings == [])
        try place.run("DELETE FROM \(place.tables.token) WHERE name = 'bob'")
        let missing =
            "administration: token \(bob.record.id) is missing, and no mark shows its removal"
        #expect(try await administration.checkAdministration()?.findings == [missing])
    }

    @Test("removed tokens may be missing only beyond the store's limit", arguments: 0...3)
    func removedLimit(count: Int) async throws {
        let place = try AdministrationPlace(.sqlite)
        let administration = try place.backend()
        let tokens = TokenStore(administration)
        var names: [String] = []
        for _ in 0..<3 {
            let token = try await tokens.create(name: "bob", scopes: ["a"])
            #expect(try await tokens.revoke(token.record.id))
            names.append(token.record.id)
        }
        let stored = Array(names.suffix(count))
        let findings = try await administration.check(expecting: nil, [], []) { check, _ in
            check.compare(.token, removed: stored, limit: 2)
        }?.findings
        let expected = [
            ["administration: 2 removed tokens are missing"],
            ["administration: 1 removed tokens are missing"], [], [],
        ]
        #expect(findings == expected[count])
    }

    @Test(
        "a signed head names the last rows, and an edit invalidates the signature",
        arguments: AdministrationKind.allCases
    )
    func anchor(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        let administration = try place.backend()
        let pem = """
            -----BEGIN PRIVATE KEY-----
            MC4CAQAwBQYDK2VwBCIEIEzNCJso/5banbbDRuwRTg9bijGfNaumJNqM9u1PuKb7
            -----END PRIVATE KEY-----

            """
        let key = try #require(SigningKey(pem: Array(pem.utf8)))
        _ = try await TokenStore(administration).create(name: "bob", scopes: ["a"])
        var anchor = try await AuditAnchor(nil, administration)
        #expect(!anchor.isSigned(by: key))
        anchor.sign(with: key)
        let read = try JSON.decode(AuditAnchor.self, from: anchor.text)
        #expect(read == anchor && read.isSigned(by: key))
        #expect(read.administration.row == 1 && read.documents.row == 0)
        let check = try await administration.checkAdministration(
            expecting: read.administration.hash
        )
        #expect(check?.hasExpected == true)
        for edit in [
            { (anchor: inout AuditAnchor) in anchor.at += " " },
            { $0.documents.row = 1 }, { $0.administration.row = 0 },
            { $0.administration.hash = ChainHash.start }, { $0.signature = nil },
            { $0.signature = "" }, { $0.signature = "=" },
        ] {
            var edited = anchor
            edit(&edited)
            #expect(!edited.isSigned(by: key))
        }
    }
}
