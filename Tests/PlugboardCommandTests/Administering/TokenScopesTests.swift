import ArgumentParser
import Identity
import PlugHTTP
import Storage
import Testing

@testable import PlugboardCommand

@Suite("The scopes that token create accepts")
struct TokenScopesTests {
    private let folder: TemporaryFolder
    private let tokens: TokenStore

    init() throws {
        folder = try TemporaryFolder()
        tokens = TokenStore(Storage.of(folder["data"]))
    }

    private func create(_ scopes: String...) async throws {
        let options = scopes.flatMap { ["--scope", $0] } + ["--data", folder["data"]]
        try await Token.Create.parse(options).run()
    }

    @Test("a declared scope is accepted, and so are the server's own")
    func declared() async throws {
        try await tokens.store(declared: ["admin", "photos:read"])
        try await create("photos:read", "admin")
        #expect(try await tokens.list().map(\.scopes) == [["admin", "photos:read"]])
    }

    @Test(
        "an undeclared scope is a usage error, and no token is created",
        arguments: ["photos:raed", "photo:read", "invoices", "Admin", "audit:read"]
    )
    func undeclared(scope: String) async throws {
        try await tokens.store(declared: ["admin", "photos:read"])
        await #expect(throws: (any Error).self) { try await create("admin", scope) }
        #expect(try await tokens.list().isEmpty)
    }

    @Test(
        "a misspelled scope of the server's own is a usage error, also before a server has started",
        arguments: [
            "behaviours:write", "behaviors-read", "behavior:approve", "audit:raed", "Admin",
        ]
    )
    func misspelled(scope: String) async throws {
        await #expect(throws: ExitCode(64)) { try await create("admin", scope) }
        #expect(try await tokens.list().isEmpty)
    }

    @Test("a store without a file has no tokens to list, and list makes none")
    func missing() async throws {
        await #expect(throws: Failure.self) {
            try await Token.List.parse(["--data", folder["data"]]).run()
        }
        await #expect(throws: Failure.self) {
            try await Token.List.parse(["--data", folder["data"]]).run()
        }
    }

    @Test("each valid scope is accepted before a server has started")
    func unknown() async throws {
        try await create("photos:read")
        #expect(try await tokens.list().count == 1)
        await #expect(throws: (any Error).self) { try await create("a b") }
    }
}
