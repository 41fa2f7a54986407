import PlugboardTesting
import Testing

private class EditPhoto: Action<EditPhoto.Input, String>, PATCH, Scoped, RateLimited {
    struct Input: Codable, Sendable {
        var id: Int
        var caller: Caller
    }
    static var path: String { "/photos/{id}" }
    static var scopes: Scopes { ["photos:write"] }
    static var rateLimit: RateLimit { .perHour(2) }
}
private class WhoAmI: Action<Void, String>, GET, Scoped {
    static var path: String { "/who" }
    static var scopes: Scopes { [] }
}
private class Greet: Action<Greet.Input, String>, GET {
    struct Input: Codable, Sendable { var caller: Caller? }
    static var path: String { "/greet" }
}

@Suite("The caller of server.test")
struct TestCallerTests {
    private let server: Server = {
        var server = Server {
            EditPhoto.self
            WhoAmI.self
            Greet.self
        }
        server.impliedScopes = ["editor": ["photos:write"]]
        return server
    }()
    private let ada = Caller(id: "1", name: "ada", scopes: ["photos:write"])
    private let bob = Caller(id: "2", name: "bob", scopes: ["photos:read"])

    private func testing(
        as caller: Caller? = nil,
        _ body: (Client) async throws -> Void
    ) async throws {
        try await Actions.withPlugs {
            EditPhoto.self <~ { "\($0.id) by \($0.caller.name)" }
            WhoAmI.self <~ {
                let caller = Caller.current
                return "\(caller?.id ?? "-") \(caller?.name ?? "-") \(caller?.scopes.text ?? "-")"
            }
            Greet.self <~ { $0.caller?.name ?? "nobody" }
        } operation: {
            try await server.test(as: caller, body)
        }
    }

    private func status(_ body: () async throws -> some Sendable) async -> Int? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? Problem)?.status.code
        }
    }

    @Test("a scoped action gets the test's caller, without a token or a store")
    func granted() async throws {
        try await testing(as: ada) { client in
            let answer1 = try await client.send(WhoAmI.self)
            #expect(answer1 == "1 ada photos:write")
            let edited = try await client.send(EditPhoto.self, .init(id: 7, caller: bob))
            #expect(edited == "7 by ada")
            let answer2 = try await client.send(Greet.self, .init())
            #expect(answer2 == "ada")
        }
    }

    @Test("a caller without the scope is a 403, and an anonymous request a 401")
    func refused() async throws {
        try await testing(as: bob) { client in
            let status11 = await status {
                try await client.send(EditPhoto.self, .init(id: 7, caller: ada))
            }
            #expect(status11 == 403)
            let answer3 = try await client.send(WhoAmI.self)
            #expect(answer3 == "2 bob photos:read")
        }
        try await testing { client in
            let status12 = await status {
                try await client.send(EditPhoto.self, .init(id: 7, caller: ada))
            }
            #expect(status12 == 401)
            let status13 = await status { try await client.send(WhoAmI.self) }
            #expect(status13 == 401)
            let answer4 = try await client.send(Greet.self, .init())
            #expect(answer4 == "nobody")
        }
    }

    @Test("a client can switch its caller, also to nil")
    func switching() async throws {
        try await testing(as: ada) { client in
            let answer5 = try await client.as(bob).send(Greet.self, .init())
            #expect(answer5 == "bob")
            let answer6 = try await client.as(nil).send(Greet.self, .init())
            #expect(answer6 == "nobody")
            let answer7 = try await client.as(bob).as(ada).send(Greet.self, .init())
            #expect(answer7 == "ada")
            let answer8 = try await client.send(Greet.self, .init())
            #expect(answer8 == "ada")
        }
    }

    @Test("concurrent requests have separate callers")
    func concurrent() async throws {
        try await testing { client in
            try await withThrowingTaskGroup { group in
                for number in 0..<100 {
                    let name = "\(number)"
                    group.addTask {
                        let client = client.as(Caller(id: name, name: name))
                        let answer9 = try await client.send(Greet.self, .init())
                        #expect(answer9 == name)
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test("a caller has all scopes that its own imply")
    func implied() async throws {
        try await testing(as: Caller(id: "3", name: "eve", scopes: ["editor"])) { client in
            let answer10 = try await client.send(WhoAmI.self)
            #expect(answer10 == "3 eve editor photos:write")
        }
    }

    @Test("rate limits count each caller separately")
    func limits() async throws {
        try await testing(as: ada) { client in
            let other = client.as(Caller(id: "4", name: "kim", scopes: ["photos:write"]))
            for _ in 0..<2 {
                _ = try await client.send(EditPhoto.self, .init(id: 7, caller: ada))
            }
            let status14 = await status {
                try await client.send(EditPhoto.self, .init(id: 7, caller: ada))
            }
            #expect(status14 == 429)
            _ = try await other.send(EditPhoto.self, .init(id: 7, caller: ada))
        }
    }

    @Test("a server with a socket still needs credentials for the action")
    func socket() throws {
        #expect { try server.start() } throws: {
            "\($0)".contains("EditPhoto needs the scope photos:write")
        }
    }

    @Test("only a client of server.test can switch its caller")
    func foreign() async throws {
        await #expect(throws: ForeignClient.self) {
            try await Client("http://localhost:1").as(ada).send(WhoAmI.self)
        }
    }
}
