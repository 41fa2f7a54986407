import ArgumentParser
import Plugboard
import Settings
import Testing

@testable import PlugboardCommand

@Suite("The options of serve")
struct ServeOptionsTests {
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
        let read = try configuration([], into: own)
        #expect(read.operations?.port == 9999)
        #expect(read.port == 9000 && read.idleTimeout == 7 && read.compressionThreshold == nil)
        #expect(read.environment == "staging" && read.batchOutputLimit == 77)
        #expect(read.rateLimit != nil && read.publicFolder == "site")
    }

    @Test("an option overrides it, also from the environment")
    func given() throws {
        var own = Server.Configuration()
        own.port = 9000
        own.idleTimeout = 7
        let read = try configuration(
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
            let error = #expect(throws: SettingsError.self) { try configuration(arguments) }
            #expect(error?.problems.first?.hasPrefix(said) == true, "\(error?.problems ?? [])")
        }
    }

    @Test("each name is unique, and the help has each section's title")
    func names() {
        let names = ServeOptions.all.map(\.name)
        #expect(Set(names).count == names.count)
        let help = ServeOptions.helpMessage(columns: 100)
        for section in ServeOptions.sections {
            #expect(
                section.title == GeneralOptions.title
                    || help.contains("\(section.title.uppercased()):")
            )
            for option in section.options {
                #expect(help.contains("  \(option.flag)"), "\(option.name)")
            }
        }
    }

    @Test("all options are read, in the order of their declarations")
    func order() throws {
        let reader = SettingsReader(environment: [:])
        var configuration = ServeValues.standard.server
        _ = ServeOptions.read([:], reader, into: &configuration)
        #expect(reader.entries.map(\.name) == ServeOptions.all.map(\.name))
        #expect(reader.entries.allSatisfy { $0.place == nil })
    }

    @Test("the help has the defaults, and list options can be repeated")
    func help() throws {
        let help = ServeOptions.helpMessage(columns: 200)
        #expect(help.contains("The port; 0 lets the system choose one. (default: 8080)"))
        #expect(help.contains("and trusted proxies have no limit. (default: 1024)"))
        #expect(help.contains("--h2c-upgrade/--no-h2c-upgrade"))
        let given = try ServeOptions.parse(["--tls-cert", "a", "--tls-cert", "b", "--no-dev-tls"])
        #expect(given.given == ["tls-cert": ["a", "b"], "dev-tls": ["false"]])
    }
}
