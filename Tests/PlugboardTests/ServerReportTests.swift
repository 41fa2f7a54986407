import AdministrationStore
import GRDB
import Identity
import JSONCodec
import Plug
import PlugHTTP
import Storage
import Testing

@testable import Plugboard

private class Write: Action<Void, String>, POST, Scoped {
    static var path: String { "/write" }
    static var scopes: Scopes { ["photos:write"] }
}

@Suite("The server's report, its scopes and the verification of its audits")
struct ServerReportTests {
    private let folder: TemporaryFolder
    private let tokens: TokenStore

    init() throws {
        folder = try TemporaryFolder()
        tokens = TokenStore(Storage.of(folder["data"]))
        Write.self <~ { "written" }
    }

    private func server() -> Server {
        var server = Server { Write.self }
        server.configuration.dataFolder = folder["data"]
        server.impliedScopes = ["editor": ["photos:write"]]
        return server
    }

    private func bearer(_ scopes: Scopes) async throws -> (String, String) {
        ("Authorization", "Bearer \(try await tokens.create(name: "", scopes: scopes).text)")
    }

    @Test("the report has version, checks, stores and options, for administrators only")
    func report() async throws {
        let (admin, reader) = (try await bearer(.admin), try await bearer(["behaviors:read"]))
        var server = server()
        server.configuration.optionsInForce = [
            OptionInForce(name: "port", value: 9000, source: "--port"),
            OptionInForce(name: "host", value: "127.0.0.1", source: nil),
        ]
        try await serving(server) { site in
            let nobody = try await site.get("/server")
            #expect(nobody.status == 401)
            let other = try await site.get("/server", reader)
            #expect(other.status == 403)
            let got = try await site.get("/server", admin)
            let json = try JSON(parsing: got.body)
            #expect(json["version"]?.string == Server.version)
            #expect(json["environment"] == "production")
            #expect(json["stores"]?.array?.first?["name"] == "data")
            #expect(json["stores"]?.array?.first?["loss"] == nil)
            #expect(json["checks"]?.array?.allSatisfy { $0["passing"] == true } == true)
            #expect(json["certificates"] == [])
            let options = try #require(json["options"]?.array)
            #expect(options.map { $0["name"]?.string } == ["port", "host"])
            #expect(options[0]["source"] == "--port" && options[0]["value"] == 9000)
            #expect(options[1]["source"] == nil)
        }
    }

    @Test("everybody may read the scopes: each has a sentence and its actions")
    func scopes() async throws {
        try await serving(server()) { site in
            let got = try await site.get("/scopes")
            #expect(got.status == 200)
            let all = try #require(try JSON(parsing: got.body).array)
            let names = all.compactMap { $0["name"]?.string }
            #expect(names == names.sorted() && names.contains("admin") && names.contains("editor"))
            #expect(all.allSatisfy { $0["description"]?.string?.hasSuffix(".") == true })
            func scope(_ name: String) -> JSON? { all.first { $0["name"]?.string == name } }
            #expect(scope("photos:write")?["description"] == "Call Write.")
            #expect(scope("photos:write")?["actions"] == ["Write"])
            #expect(scope("editor")?["implies"] == ["photos:write"])
            #expect(scope("admin")?["actions"]?.array?.contains("CreateToken") == true)
            #expect(scope("admin")?["implies"]?.array?.contains("audit:read") == true)
        }
    }

    @Test("the audits are verified, and an edited row is found")
    func verification() async throws {
        let (reader, other) = (try await bearer(["audit:read"]), try await bearer(["photos:write"]))
        try await serving(server()) { site in
            let forbidden = try await site.get("/audit/verification", other)
            #expect(forbidden.status == 403)
            let got = try await site.get("/audit/verification", reader)
            let json = try JSON(parsing: got.body)
            #expect(json["unchanged"] == true)
            #expect(json["administration"]?["rows"] == 2)
            #expect(json["documents"]?["rows"] == 0)
            try await Storage.of(folder["data"]).write(.administration) {
                try $0.execute(sql: "UPDATE token SET name = 'eve'")
            }
            let again = try await site.get("/audit/verification", reader)
            let changed = try JSON(parsing: again.body)
            #expect(changed["unchanged"] == false)
            #expect(changed["administration"]?["findings"]?.array?.isEmpty == false)

            // More readers than places wait for a long verification, and nobody else does.
            let gate = Gate()
            VerifyAudit.self <~ {
                await gate.pass()
                throw Problem.notFound("verified")
            }
            defer { Actions.unplug(VerifyAudit.self) }
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<40 {
                    group.addTask { try await site.get("/audit/verification", reader).status }
                }
                let scopes = try await site.get("/server", try await bearer(.admin))
                #expect(scopes.status == 200)
                gate.open()
                for try await status in group { #expect(status == 404) }
            }
        }
    }
}
