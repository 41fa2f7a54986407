import ArgumentParser
import Plugboard
import Settings
import Testing

@testable import PlugboardCommand

@Suite("The command health")
struct HealthCommandTests {
    private func url(_ environment: [String: String], file: String? = nil) throws -> String {
        let file = try file.map { try SettingsFile(name: "a.json", json: $0.utf8) }
        return try HealthCommand.operationsURL(
            SettingsReader(environment: environment, file: file)
        )
    }

    @Test("the operations port is that of serve: by default 127.0.0.1:9464, or from the settings")
    func place() throws {
        #expect(try url([:]) == "http://127.0.0.1:9464")
        #expect(try url(["PLUGBOARD_METRICS_PORT": "7"]) == "http://127.0.0.1:7")
        #expect(try url(["PLUGBOARD_METRICS_HOST": "10.0.0.9"]) == "http://10.0.0.9:9464")
        #expect(try url([:], file: #"{"metrics-port": 8, "plug": []}"#) == "http://127.0.0.1:8")
    }

    @Test("a server at the wildcard address is checked at the loopback address")
    func wildcard() throws {
        for (host, expected) in [
            ("0.0.0.0", "127.0.0.1"), ("::", "[::1]"), ("[::]", "[::1]"), ("fd00::2", "[fd00::2]"),
        ] {
            #expect(try url(["PLUGBOARD_METRICS_HOST": host]) == "http://\(expected):9464")
        }
    }

    @Test("an unknown port is an error that names the options", arguments: ["off", "0"])
    func unknown(port: String) {
        let error = #expect(throws: Failure.self) { try url(["PLUGBOARD_METRICS_PORT": port]) }
        #expect(error?.description.contains("Set --metrics-port of serve, or give --url.") == true)
    }

    @Test("an invalid setting is an error, too")
    func invalid() {
        #expect(throws: SettingsError.self) { try url(["PLUGBOARD_METRICS_PORT": "x"]) }
    }

    @Test("a ready server is status 0, an unreachable one is a failure with status 1")
    func run() async throws {
        try await serving { site in
            let url = try #require(site.options.dropFirst().first)
            try await HealthCommand.parse(["--url", url]).run()
            try await HealthCommand.parse(["--url", url, "--live"]).run()
        }
        for url in ["http://127.0.0.1:1", "ftp://127.0.0.1", ""] {
            await #expect(throws: Failure.self, "\(url)") {
                try await HealthCommand.parse(["--url", url]).run()
            }
        }
    }
}
