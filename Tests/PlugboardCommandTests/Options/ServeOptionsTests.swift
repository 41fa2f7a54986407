import ArgumentParser
import Plugboard
import Settings
import Testing

@testable import PlugboardCommand

@Suite("The options of serve")
struct ServeOptionsTests {
    private func read(
        _ arguments: [String],
        into configuration: Server.Configuration = ServeOptions.standard,
        environment: [String: String] = [:]
    ) throws -> Server.Configuration {
        var configuration = configuration
        let settings = SettingsReader(environment: environment)
        let options = try ServeOptions.parse(arguments)
        _ = ServeOptions.read(options, settings, into: &configuration)
        try settings.check()
        return configuration
    }

    @Test("a server's own configuration is the default of each option")
    func defaults() throws {
        var own = Server.Configuration()
        own.port = 9000
        own.idleTimeout = 7
        own.compressionThreshold = nil
        own.rateLimit = .perMinute(5)
        own.environment = "staging"
        own.batchOutputLimit = 77
        own.publicFolder = "site"
        own.operations = .init()
        own.operations?.port = 9999
        let read = try read([], into: own)
        #expect(read.operations?.port == 9999)
        #expect(read.port == 9000 && read.idleTimeout == 7 && read.compressionThreshold == nil)
        #expect(read.environment == "staging" && read.batchOutputLimit == 77)
        #expect(read.rateLimit != nil && read.publicFolder == "site")
    }

    @Test("an option replaces it, also from the environment")
    func given() throws {
        var own = Server.Configuration()
        own.port = 9000
        own.idleTimeout = 7
        let read = try read(
            ["--port", "1", "--public", "www"],
            into: own,
            environment: ["PLUGBOARD_IDLE_TIMEOUT": "8", "PLUGBOARD_PORT": "2"]
        )
        #expect(read.port == 1 && read.idleTimeout == 8 && read.publicFolder == "www")
    }

    @Test("an invalid value and two stores are errors")
    func invalid() {
        for (arguments, said) in [
            (["--port", "65536"], "--port: expected a number from 0 to 65535"),
            (["--environment", "Bad Name"], "--environment: expected"),
            (["--database", "postgres://h/d", "--behaviors-folder", "f"], "--behaviors-folder: "),
            (["--tls-cert", "a"], "--tls-cert: needs --tls-key"),
            (["--jwks", "a"], "--jwks: needs --jwt-issuer"),
        ] {
            let error = #expect(throws: SettingsError.self) { try read(arguments) }
            #expect(error?.problems.first?.hasPrefix(said) == true, "\(error?.problems ?? [])")
        }
    }

    @Test("a data folder that the server or an option names stays, though it can't be used")
    func data() throws {
        var own = Server.Configuration()
        own.dataFolder = "/dev/null/data"
        #expect(try read([], into: own).dataFolder == "/dev/null/data")
        #expect(try read(["--data", "/dev/null/data"]).dataFolder == "/dev/null/data")
    }
}
