import Identity
import PlugHTTP
import Plugboard
import Storage
import TestLog

/// A test's own folder with a document file, and the server's log.
struct BehaviorsPlace {
    let folder: TemporaryFolder
    let journal = Journal()
    static let first = "[ {\"name\":\"A\",\n\"actions\":[]} ]\n"
    static let second = #"[{"name":"Bé","actions":[{"func":"b","value":1}]}]"#

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("behaviors.json", "[]")
    }

    func server(environment: String = "production", hasFile: Bool = true) -> Server {
        var server = Server(
            behaviors: hasFile ? .file(folder["behaviors.json"]) : nil,
            logger: journal.logger
        )
        server.configuration.dataFolder = folder["data"]
        server.configuration.environment = environment
        return server
    }

    func fields(
        _ scopes: Scopes = ["behaviors:read", "behaviors:write", "behaviors:approve"]
    ) async throws -> [(String, String)] {
        let made = try await TokenStore(Storage.of(folder["data"]))
            .create(name: "ada", scopes: scopes)
        return [
            ("Authorization", "Bearer \(made.text)"), ("Content-Type", "application/json"),
        ]
    }
}
