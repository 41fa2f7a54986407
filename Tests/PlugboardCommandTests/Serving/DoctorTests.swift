import ArgumentParser
import Glibc
import Plug
import PlugHTTP
import Plugboard
import Testing

@testable import PlugboardCommand

private class Wave: Action<Void, String>, GET { static var path: String { "/wave" } }
private class Unplugged: Action<Void, String>, GET { static var path: String { "/unplugged" } }

private struct Waver: ConfiguredServerCommand {
    struct Trouble: Error, CustomStringConvertible { let description = "no wave today" }
    @Flag var fails = false

    func server(_ configuration: Server.Configuration) throws -> Server {
        if fails { throw Trouble() }
        Wave.self <~ { "wave" }
        return Server(configuration: configuration) { Wave.self }
    }
}

private func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

@Suite("The command doctor")
struct DoctorTests {
    private func doctor(_ arguments: String...) throws -> Doctor<Waver> {
        let root = try RootCommand<Waver>.parseAsRoot(["doctor"] + arguments)
        return try #require(root as? Doctor<Waver>)
    }

    @Test("it has the options of serve, of the server, and its own")
    func options() throws {
        let parsed = try doctor("--fails", "--strict", "--json", "--port", "7", "--h2c-upgrade")
        #expect(parsed.strict)
        #expect(parsed.json)
        #expect(parsed.own.fails)
        #expect(parsed.options.given["port"] == ["7"])
        #expect(throws: (any Error).self) { try doctor("--nope") }
    }

    @Test("without a problem it has one line for each check, and creates nothing")
    func fine() async throws {
        let (folder, site) = (try TemporaryFolder(), try TemporaryFolder())
        let page = try site.write("index.html", "a")
        let server = server(data: folder["data"], publicFolder: site[""])
        let findings = await ServerChecks(server).perform()
        let names = findings.map(\.check)
        for name in [
            "server", "data folder", "clock", "CA bundle", "public folder", "disk",
            "descriptors", "memory", "public port",
        ] { #expect(names.contains(name), "\(name) in \(names)") }
        #expect(findings.filter { $0.status == .error } == [])
        #expect(!exists(folder["data"]))
        #expect(exists(page))
    }

    @Test("an action without an implementation is an error of the server")
    func unplugged() async throws {
        let server = Server { Unplugged.self }
        let findings = await ServerChecks(server).perform()
        let found = findings.filter { $0.check == "server" }
        #expect(found.map(\.status) == [.error])
        #expect(found.first?.message.hasPrefix("nothing is plugged to Unplugged") == true)
    }

    @Test("an error of the server's own code doesn't end the checks")
    func failing() throws {
        let parsed = try doctor("--fails", "--data", "/none")
        let setup = try ServerSetup(
            checking: parsed.own,
            config: nil,
            given: parsed.options.given
        ) { _ in parsed.own }
        #expect(setup.described.configuration.dataFolder == "/none")
        #expect(setup.described.actions.isEmpty)
        let failure = try #require(setup.failure)
        let finding = ServerChecks.unusable(failure, besides: [])
        #expect(finding?.message == "the server can't be made: no wave today")
        #expect(throws: Waver.Trouble.self) {
            try ServerSetup(parsed.own, config: nil, given: [:]) { _ in parsed.own }
        }
    }

    @Test("each invalid option is an error")
    func invalid() {
        let findings = ServerChecks.invalid(["--port: a", "--host: b"])
        #expect(findings.map(\.status) == [.error, .error])
        #expect(findings.map(\.message) == ["--port: a", "--host: b"])
    }

    private func server(data: String, publicFolder: String) -> Server {
        Wave.self <~ { "wave" }
        var server = Server { Wave.self }
        server.configuration.port = 0
        server.configuration.dataFolder = data
        server.configuration.publicFolder = publicFolder
        return server
    }
}
