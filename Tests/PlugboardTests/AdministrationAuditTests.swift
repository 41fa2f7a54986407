import Digests
import GRDB
import HTTPTypes
import Identity
import JSONCodec
import Plug
import PlugHTTP
import Plugboard
import PlugboardClient
import Storage
import TestLog
import Testing

/// Each test has an action of its own, since plugs belong to the process.
@Suite("The audit of the administration")
struct AdministrationAuditTests {
    private let folder: TemporaryFolder
    private let journal = Journal()
    private let storage: Storage

    init() throws {
        folder = try TemporaryFolder()
        storage = Storage.of(folder["data"])
    }

    private func server(@ActionsBuilder _ actions: () -> [ExposedAction]) -> Server {
        var server = Server(logger: journal.logger, actions: actions)
        server.configuration.dataFolder = folder["data"]
        return server
    }

    @Test("has a row with the caller and the address for each change of a token or plug")
    func rows() async throws {
        class Audited: Action<Void, String>, GET { static var path: String { "/audited" } }
        Audited.named("one") <~ { "one" }
        Audited.named("two") <~ { "two" }
        Audited.self <~ "one"
        let root = try await TokenStore(storage).create(
            name: "root",
            scopes: ["admin", "audit:read"]
        )
        try await serving(server { Audited.self }) { site in
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
        let check = try #require(try await storage.checkAdministration())
        #expect(check.findings == [] && check.count == 5)
    }

    @Test("finds a token that was inserted, changed or deleted in the database")
    func injected() async throws {
        let tokens = TokenStore(storage)
        let bob = try await tokens.create(name: "bob", scopes: ["a"])
        try await storage.write(.tokens) { database in
            try database.execute(
                sql: """
                    INSERT INTO token (number, digest, name, scopes, created)
                    VALUES (5, x'00', 'eve', 'admin', 0)
                    """
            )
        }
        #expect(
            try await storage.checkAdministration()?.findings
                == ["administration: no row created token 000000000005"]
        )
        try await storage.write(.tokens) { database in
            try database.execute(sql: "DELETE FROM token WHERE number = 5")
            try database.execute(sql: "UPDATE token SET scopes = 'admin'")
        }
        #expect(
            try await storage.checkAdministration()?.findings
                == ["administration: token \(bob.record.id) differs from the rows"]
        )
        try await storage.write(.tokens) { try $0.execute(sql: "DELETE FROM token") }
        #expect(
            try await storage.checkAdministration()?.findings
                == ["administration: token \(bob.record.id) is missing: no row removed it"]
        )
    }

    @Test("finds a revoked token that was deleted from the database")
    func deletedRevoked() async throws {
        let tokens = TokenStore(storage)
        let bob = try await tokens.create(name: "bob", scopes: ["a"])
        let eve = try await tokens.create(name: "eve", scopes: ["a"])
        #expect(try await tokens.revoke(bob.record.id))
        #expect(try await tokens.revoke(eve.record.id))
        #expect(try await storage.checkAdministration()?.findings == [])
        try await storage.write(.tokens) { database in
            try database.execute(sql: "DELETE FROM token WHERE name = 'bob'")
        }
        let missing =
            "administration: token \(bob.record.id) is missing, and no mark shows its removal"
        #expect(try await storage.checkAdministration()?.findings == [missing])
    }

    @Test("removed tokens may be missing only beyond the store's limit", arguments: 0...3)
    func removedLimit(count: Int) async throws {
        let tokens = TokenStore(storage)
        var names: [String] = []
        for _ in 0..<3 {
            let token = try await tokens.create(name: "bob", scopes: ["a"])
            #expect(try await tokens.revoke(token.record.id))
            names.append(token.record.id)
        }
        let stored = Array(names.suffix(count))
        let findings = try await storage.read(.tokens) { database in
            var check = try AdministrationCheck(database)
            check.compare(.token, removed: stored, limit: 2)
            return check.findings
        }
        let expected = [
            ["administration: 2 removed tokens are missing"],
            ["administration: 1 removed tokens are missing"], [], [],
        ]
        #expect(findings == expected[count])
    }

    @Test("a page of large rows ends after 1 MiB, and has at least one row")
    func largeRows() async throws {
        _ = try await TokenStore(storage).create(name: "bob", scopes: ["a"])
        try await storage.write(.tokens) { database in
            for (row, size) in [(2, 600 << 10), (3, 600 << 10), (4, 3 << 20), (5, 1), (6, 1)] {
                try database.execute(
                    sql: """
                        INSERT INTO administrationAudit
                        VALUES (?, 0, '', '', '', 'set plug', 'A', NULL, ?, '', '', '')
                        """,
                    arguments: [row, String(repeating: "a", count: size)]
                )
            }
        }
        var pages: [[Int]] = []
        while pages.last != [] {
            let after = pages.last?.last ?? 0
            pages.append(
                try await storage.administrationRows(after: after, limit: 100).map(\.sequence)
            )
        }
        #expect(pages == [[1, 2, 3], [4], [5, 6], []])
        let newest = try await storage.administrationRows(before: nil, limit: 100)
        #expect(newest.map(\.sequence) == [6, 5, 4])
        let limited = try await storage.administrationRows(before: nil, limit: 2)
        #expect(limited.map(\.sequence) == [6, 5])
    }

    @Test("a signed head names the last rows, and an edit invalidates the signature")
    func anchor() async throws {
        let pem = """
            -----BEGIN PRIVATE KEY-----
            MC4CAQAwBQYDK2VwBCIEIEzNCJso/5banbbDRuwRTg9bijGfNaumJNqM9u1PuKb7
            -----END PRIVATE KEY-----

            """
        let key = try #require(SigningKey(pem: Array(pem.utf8)))
        _ = try await TokenStore(storage).create(name: "bob", scopes: ["a"])
        var anchor = try await AuditAnchor(nil, storage)
        #expect(!anchor.isSigned(by: key))
        anchor.sign(with: key)
        let read = try JSON.decode(AuditAnchor.self, from: anchor.text)
        #expect(read == anchor && read.isSigned(by: key))
        #expect(read.administration.row == 1 && read.documents.row == 0)
        let check = try await storage.checkAdministration(expecting: read.administration.hash)
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
