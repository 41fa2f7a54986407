import Foundation
import HTTPServer
import PlugboardClient
import Plugboard
import Testing

@Suite("Contracts over a socket", .serialized, .timeLimit(.minutes(5)))
struct ContractTests {
    @Test("a call over a socket receives and returns the same as one in the process")
    func same() async throws {
        let cases = Contracts.all
        #expect(cases.count >= 60)
        var server = Server { cases.flatMap(\.exposed) }
        let folder = FileManager.default.temporaryDirectory.path + "/contracts-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        server.configuration.dataFolder = folder
        try await serving(server) { client in
            for one in cases {
                do {
                    try await one.run(client)
                } catch {
                    Issue.record("\(one.name): \(error)")
                }
            }
        }
    }
}

/// Runs a test with a client of a server on a port of its own.
func serving(
    _ server: Server,
    token: String? = nil,
    _ body: (Client) async throws -> Void
) async throws {
    var server = server
    server.configuration.port = 0
    server.configuration.loops = 1
    let running = try server.start()
    guard case .tcp(_, let port) = running.addresses.first else {
        Issue.record("not on TCP: \(running.addresses)")
        return
    }
    let client = Client("http://127.0.0.1:\(port)", token: token, transport: PlatformTransport())
    let result = await Result { try await body(client) }
    running.drain()
    await running.http.waitUntilStopped()
    await running.endOperations()
    try result.get()
}

extension Result where Failure == any Error {
    /// Runs a function and catches its error.
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
