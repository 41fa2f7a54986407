import Identity
import Plug
import PlugHTTP
import Storage
import TestCertificates
import Testing

@testable import BehaviorStore
@testable import Plugboard

private class Edit: Action<Void, String>, POST, Scoped {
    static var path: String { "/edit" }
    static var scopes: Scopes { ["photos:write"] }
}

@Suite("Implied scopes of callers")
struct ImpliedScopesTests {
    private let folder: TemporaryFolder
    private let tokens: TokenStore

    init() throws {
        folder = try TemporaryFolder()
        tokens = TokenStore(Storage.of(folder["data"]))
        Edit.self <~ { Caller.current?.scopes.text ?? "nobody" }
    }

    private func server(_ implied: ImpliedScopes = ["editor": ["photos:write"]]) -> Server {
        var server = Server { Edit.self }
        server.configuration.dataFolder = folder["data"]
        server.impliedScopes = implied
        return server
    }

    private func bearer(_ scopes: Scopes) async throws -> (String, String) {
        ("Authorization", "Bearer \(try await tokens.create(name: "ada", scopes: scopes).text)")
    }

    @Test("a token's implied scope allows the call, and the action gets all scopes")
    func token() async throws {
        let editor = try await bearer(["editor"])
        try await serving(server()) { site in
            let answer = try await site.send("POST", "/edit", fields: [editor])
            #expect(answer.status == 200)
            #expect(answer.text == #""editor photos:write""#)
        }
    }

    @Test("admin implies the scopes of the server's own actions, and no scope of the application")
    func admin() async throws {
        let admin = try await bearer(.admin)
        try await serving(server()) { site in
            let published = try await site.send(
                "PUT",
                "/behaviors/default",
                fields: [admin, ("Content-Type", "application/json")],
                body: "[]"
            )
            #expect(published.status == 201)
            for path in ["/behaviors", "/audit", "/behaviors/default/diff", "/environments"] {
                let answer = try await site.get(path, admin)
                #expect(answer.status == 200, "\(path)")
            }
            let edited = try await site.send("POST", "/edit", fields: [admin])
            #expect(edited.status == 403)
        }
    }

    @Test("a rule for admin adds to the server's own")
    func adminRule() async throws {
        let admin = try await bearer(.admin)
        try await serving(server(["admin": ["editor"], "editor": ["photos:write"]])) { site in
            let edited = try await site.send("POST", "/edit", fields: [admin])
            #expect(edited.status == 200)
            let listed = try await site.get("/behaviors", admin)
            #expect(listed.status == 200)
        }
    }

    @Test("an implied scope doesn't imply the scope above it")
    func below() async throws {
        for scopes: Scopes in [["behaviors:read"], ["photos:read"], ["Editor"], ["audit:read"]] {
            let caller = try await bearer(scopes)
            try await serving(server()) { site in
                let edited = try await site.send("POST", "/edit", fields: [caller])
                #expect(edited.status == 403, "\(scopes)")
                let tokens = try await site.get("/tokens", caller)
                #expect(tokens.status == 403, "\(scopes)")
            }
        }
    }

    @Test("an author's implied scopes count for approvals")
    func standing() async throws {
        let implied = server(["lead": ["behaviors:approve"]]).allImpliedScopes
        let tokens = TokenStore(Storage.of(folder["data"]), implied: implied)
        let lead = try await tokens.create(name: "ada", scopes: ["lead"]).record.id
        let other = try await tokens.create(name: "bob", scopes: ["reader"]).record.id
        let certificates = CertificateCallers([("CN=eve", ["lead"])], implied)
        let standing = AuthorStanding(
            Access.Credentials(tokens: tokens, certificates: certificates),
            issuers: [],
            isShared: false
        )
        #expect(try await standing.verdict(on: lead, nil, .approve) == .valid)
        #expect(try await standing.verdict(on: lead, nil, .write) != .valid)
        #expect(try await standing.verdict(on: other, nil, .approve) != .valid)
        #expect(certificates.scopes(ofCaller: "certificate CN=eve")?.contains(.admin) == false)
        #expect(
            certificates.scopes(ofCaller: "certificate CN=eve") == ["lead", "behaviors:approve"]
        )
    }

    @Test("the list of the server's own scopes has each scope that an action requires")
    func own() {
        let needed = Server.administration.compactMap { ($0 as? any Scoped.Type)?.scopes.names }
        #expect(Scopes(needed.flatMap(\.self)) == Server.administrationScopes)
    }

    @Test("a cycle is a start-up error, also one through admin")
    func cycle() throws {
        for rules: ImpliedScopes in [
            ["a": ["b"], "b": ["a"]], ["audit:read": ["admin"]], ["admin": ["admin"]],
        ] {
            #expect { try server(rules).start() } throws: {
                ($0 as? StartError)?.problems.count == 1
                    && "\($0)".contains("impliedScopes has a cycle: ")
            }
        }
    }

    @Test("an invalid name is a start-up error")
    func invalid() throws {
        #expect { try server(["a b": ["a"]]).start() } throws: {
            "\($0)".contains("impliedScopes has an invalid scope: \"a b\"")
        }
    }
}
