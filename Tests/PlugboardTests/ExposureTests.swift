import Plug
import PlugHTTP
import Testing

@testable import Plugboard

private class Hello: Action<Void, String>, GET { static var path: String { "/hello" } }

@Suite("The ports of the server's own actions", .serialized)
struct ExposureTests {
    private func server(_ folder: TemporaryFolder, _ port: Exposure) -> Server {
        Hello.self <~ { "hello" }
        var server = Server { Hello.self }
        server.configuration.dataFolder = folder["data"]
        server.configuration.operations = .init()
        server.configuration.operations?.port = 0
        server.administration = port
        server.documentation = port
        server.batches = port
        return server
    }

    private static let batch = #"[{"action":"Hello"}]"#

    @Test("each part is served only on its port, or not at all", arguments: Exposure.allCases)
    func ports(port: Exposure) async throws {
        try await serving(server(try TemporaryFolder(), port)) { site in
            let operations = Site(running: site.running, port: try site.operationsPort)
            for (place, isThere) in [
                (site, port == .public), (operations, port == .operationsPort),
            ] {
                for path in ["/docs", "/openapi.json"] {
                    #expect(try await place.get(path).status == (isThere ? 200 : 404), "\(path)")
                }
                #expect(try await place.get("/tokens").status == (isThere ? 401 : 404))
                let batch = try await place.post("/actions", Self.batch)
                #expect(batch.status == (isThere ? 200 : 404))
                if isThere { #expect(batch.text.contains("hello")) }
            }
            #expect(try await site.get("/hello").status == 200)
            #expect(try await operations.get("/hello").status == 404)
            #expect(try await operations.get("/healthz").status == 200)
        }
    }

    @Test("a part on a missing operations port is a start-up error")
    func missing() throws {
        var server = server(try TemporaryFolder(), .operationsPort)
        server.configuration.operations = nil
        let error = #expect(throws: StartError.self) { try server.start() }
        #expect(error?.problems.count { $0.contains("set configuration.operations") } == 3)
    }
}
