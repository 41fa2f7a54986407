import HTTPServer
import HTTPTypes
import Plug
@testable import Plugboard
import PlugboardClient
import PlugHTTP
import Testing

@Suite("A configuration with values out of range")
struct ConfigurationTests {
    private class Echo: Action<Echo.Input, Int>, POST {
        struct Input: Codable, Sendable { var number: Int }
        static var path: String { "/echo" }
    }

    /// A configuration with each number at an extreme.
    private func extreme(_ value: Int) -> Server.Configuration {
        var configuration = Server.Configuration(loops: value)
        configuration.bodyLimit = value
        configuration.streamLimit = value
        configuration.compressionThreshold = value
        configuration.bodyBudget = value
        configuration.connections = value
        configuration.connectionsPerAddress = value
        configuration.headTimeout = value
        configuration.bodyTimeout = value
        configuration.idleTimeout = value
        configuration.writeTimeout = value
        configuration.actionTimeout = value
        configuration.endlessStreams = value
        configuration.endlessStreamsPerCaller = value
        configuration.batchLimit = value
        configuration.batchOutputLimit = value
        configuration.rateLimit = RateLimit(value, seconds: value)
        configuration.drainTimeout = value
        configuration.documentLimit = value
        configuration.draftLimit = value
        return configuration
    }

    private func with(
        _ configuration: Server.Configuration,
        _ body: @Sendable (Client) async throws -> Void
    ) async throws {
        Echo.self <~ { input async in input.number }
        var server = Server(configuration: configuration) { Echo.self }
        server.configuration.loops = 2
        try await serving(server) { site in try await body(Client(site.url)) }
    }

    @Test("with the greatest values requests are accepted")
    func greatest() async throws {
        try await with(extreme(.max)) { client in
            let number = try await client.send(Echo.self, .init(number: 7))
            #expect(number == 7)
        }
    }

    @Test("with the least values requests are rejected, and the process continues")
    func least() async throws {
        try await with(extreme(.min)) { client in
            let problem = await #expect(throws: Problem.self) {
                try await client.send(Echo.self, .init(number: 7))
            }
            #expect(problem?.status == .contentTooLarge)
        }
    }

    @Test("times are limited to a second to a year, and sizes to 1 PiB")
    func clamped() {
        let (least, greatest) = (extreme(.min), extreme(.max))
        #expect(least.actionSeconds == 1)
        #expect(greatest.actionSeconds == 31_536_000)
        #expect(least.bodyBytes == 0)
        #expect(greatest.bodyBytes == 1 << 50)
        #expect(greatest.streamBytes == 1 << 50)
        #expect(least.http.loops == 1)
        #expect(greatest.http.loops == 256)
        #expect(greatest.http.bodyBudget == 1 << 50)
    }
}
