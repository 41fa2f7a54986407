import Identity
import Plug
import PlugHTTP
import PlugboardClient
import Storage
import Testing

@testable import Plugboard

private class Name: Action<Void, String>, GET, Scoped {
    static var path: String { "/name" }
    static var scopes: Scopes { ["photos:read"] }
}

@Suite("The administration of tokens over the network")
struct TokenActionsTests {
    private let folder: TemporaryFolder
    private let tokens: TokenStore

    init() throws {
        folder = try TemporaryFolder()
        tokens = TokenStore(Storage.of(folder["data"]))
        Name.self <~ { Caller.current?.name ?? "nobody" }
    }

    private func server() -> Server {
        var server = Server { Name.self }
        server.configuration.dataFolder = folder["data"]
        return server
    }

    @Test("a token made over the network expires after 90 days, unless its lifetime is 0")
    func lifetimes() async throws {
        let admin = try await tokens.create(name: "root", scopes: .admin)
        try await serving(server()) { site in
            let client = Client(site.url, token: admin.text)
            let usual = try await client.send(CreateToken.self, .init(scopes: ["photos:read"]))
            #expect(usual.info.expires != nil)
            let endless = try await client.send(
                CreateToken.self,
                .init(scopes: ["photos:read"], lifetime: 0)
            )
            #expect(endless.info.expires == nil)
        }
    }

    @Test("a token sent in place of its number isn't repeated in the response")
    func tokenAsNumber() async throws {
        let admin = try await tokens.create(name: "root", scopes: .admin)
        try await serving(server()) { site in
            let fields = ("Authorization", "Bearer \(admin.text)")
            let got = try await site.get("/tokens/\(admin.text)", fields)
            #expect(got.status == 404)
            #expect(!got.text.contains(String(admin.text.suffix(64))))
            let missing = try await site.get("/tokens/0123456789ab", fields)
            #expect(missing.text.contains("there is no token 0123456789ab"))
        }
    }

    @Test(
        "a scope that no action needs is a 422 with the nearest one",
        arguments: [
            ("photos:raed", "use photos:read"), ("Photos.Read", "use photos:read"),
            ("behavior:write", "use behaviors:write"), ("amdin", "use admin"),
            ("invoices", "use one of admin, audit:read, behaviors:approve, "),
        ]
    )
    func undeclared(scope: String, remedy: String) async throws {
        let admin = try await tokens.create(name: "root", scopes: .admin)
        try await serving(server()) { site in
            let client = Client(site.url, token: admin.text)
            let error = await #expect(throws: Problem.self) {
                try await client.send(CreateToken.self, .init(scopes: ["photos:read", scope]))
            }
            #expect(error?.status.code == 422)
            #expect(error?.errors?.first?.pointer == "/scopes")
            let detail = error?.detail ?? ""
            #expect(
                detail.contains("no action of the server needs the scope \"\(scope)\": \(remedy)")
            )
            let list = try await client.send(ListTokens.self)
            #expect(list.count == 1)
        }
    }

    @Test("scopes that are implied by rules are declared")
    func implied() async throws {
        let admin = try await tokens.create(name: "root", scopes: .admin)
        var server = server()
        server.impliedScopes = ["editor": ["photos:write"], "guest": []]
        try await serving(server) { site in
            let client = Client(site.url, token: admin.text)
            let scopes = ["editor", "guest", "photos:write", "photos:read", "audit:read"]
            let made = try await client.send(CreateToken.self, .init(scopes: scopes))
            #expect(made.info.scopes == scopes.sorted())
        }
    }

    private func administration() throws -> Administration {
        Administration(try DataFolder(folder["data"]).administration)
    }

    @Test("a started server stores its scopes, and a later one replaces them")
    func stored() async throws {
        var other = server()
        other.impliedScopes = ["editor": []]
        for (server, name) in [(server(), "photos:read"), (other, "editor")] {
            await server.storeScopes(in: try administration())
            let declared = try #require(try await tokens.declaredScopes())
            #expect(declared == server.declaredScopes)
            #expect(declared.contains([name, "admin", "behaviors:write"]))
        }
        await server().storeScopes(in: try administration())
        #expect(try await tokens.declaredScopes()?.contains(["editor"]) == false)
    }

    @Test("a server without scopes of its own creates no database for them")
    func none() async throws {
        await Server {}.storeScopes(in: try administration())
        #expect(!Storage.of(folder["data"]).exists)
        #expect(try await tokens.declaredScopes() == nil)
    }

    @Test("callers with the scope admin administer tokens over the network")
    func administration() async throws {
        let admin = try await tokens.create(name: "root", scopes: .admin)
        try await serving(server()) { site in
            let client = Client(site.url, token: admin.text)
            let made = try await client.send(
                CreateToken.self,
                .init(scopes: ["photos:read"], name: "eve", lifetime: 3600)
            )
            #expect(made.info.name == "eve")
            #expect(made.info.expires != nil)
            let hers = Client(site.url, token: made.token)
            let name = try await hers.send(Name.self)
            #expect(name == "eve")
            await #expect(throws: Problem.self) { try await hers.send(ListTokens.self) }
            let list = try await client.send(ListTokens.self)
            #expect(list.map(\.name) == ["root", "eve"])
            let got = try await client.send(GetToken.self, .init(id: made.info.id))
            var unused = got
            unused.used = nil
            #expect(unused == made.info)
            #expect(got.used != nil)
            let rotated = try await client.send(RotateToken.self, .init(id: made.info.id))
            #expect(rotated.info.id == made.info.id)
            #expect(rotated.info.name == "eve")
            await #expect(throws: Problem.self) { try await hers.send(Name.self) }
            let renewed = Client(site.url, token: rotated.token + "\n")
            let same = try await renewed.send(Name.self)
            #expect(same == "eve")
            try await client.send(RevokeToken.self, .init(id: made.info.id))
            await #expect(throws: Problem.self) { try await renewed.send(Name.self) }
            await #expect(throws: Problem.self) {
                try await client.send(RevokeToken.self, .init(id: made.info.id))
            }
            await #expect(throws: Problem.self) {
                try await client.send(CreateToken.self, .init(scopes: []))
            }
        }
    }
}
