import ArgumentParser
import Plugboard
import PlugboardClient
import Testing

@testable import PlugboardCommand

@Suite("The options for a server")
struct ServerOptionsTests {
    @Test("an unreachable server is status 69, an invalid URL 64")
    func unreachable() async throws {
        for (url, status) in [
            ("http://127.0.0.1:1", 69), ("nonsense", 64), ("ftp://127.0.0.1", 64),
            ("http://ada:s3cret@127.0.0.1:1", 64),
        ] as [(String, Int32)] {
            let options = try ServerOptions.parse(["--url", url])
            await #expect(throws: ExitCode(status), "\(url)") {
                try await options.ask { try await $0.send(ListPlugs.self) }
            }
        }
    }

    @Test("a missing token and a missing scope are status 1")
    func forbidden() async throws {
        try await serving { site in
            let options = try ServerOptions.parse(Array(site.options.prefix(2)))
            await #expect(throws: ExitCode(1)) {
                try await options.ask { try await $0.send(ListPlugs.self) }
            }
        }
    }

    @Test("with --json a call ends the command: status 0 with its output, else as without")
    func json() async throws {
        try await serving { site in
            let options = try ServerOptions.parse(site.options + ["--json"])
            await #expect(throws: ExitCode.success) {
                _ = try await options.send(ListPlugs.self)
            }
            // A command with several calls prints their result itself.
            let known = try await options.request(ListBehaviors.self, .init())
            #expect(known.isEmpty)
            await #expect(throws: ExitCode(1)) {
                _ = try await options.send(GetPlug.self, .init(action: "Nope"))
            }
        }
        let options = try ServerOptions.parse(["--url", "http://127.0.0.1:1", "--json"])
        await #expect(throws: ExitCode(69)) { _ = try await options.send(ListPlugs.self) }
    }

    @Test("the options are the default if none is set")
    func isDefault() throws {
        #expect(try ServerOptions.parse([]).isDefault)
        for name in ["--url", "--token", "--ca"] {
            #expect(try !ServerOptions.parse([name, "x"]).isDefault)
        }
    }
}
