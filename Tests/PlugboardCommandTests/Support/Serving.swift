import HTTPServer
import Identity
import PlugHTTP
import Plugboard
import PlugboardClient
import Storage

/// A running server with a data folder, and an administrator of it.
struct Site {
    let folder: TemporaryFolder
    let client: Client
    /// The options that name the server and the token.
    let options: [String]
    /// The option of commands that open the store directly.
    var store: [String] { ["--data", folder["data"]] }
}

/// Runs `body` while a server runs.
func serving(_ server: Server = Server {}, _ body: (Site) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    let token = try await TokenStore(Storage.of(folder["data"]))
        .create(
            name: "ada",
            scopes: Scopes([
                "admin", "audit:read", "behaviors:read", "behaviors:write", "behaviors:approve",
            ])
        ).text
    var server = server
    server.configuration.dataFolder = folder["data"]
    server.configuration.port = 0
    server.configuration.loops = 1
    let running = try server.start()
    func end() async {
        running.http.drain()
        await running.http.waitUntilStopped()
    }
    let url = running.addresses[0].description
    do {
        try await body(
            Site(
                folder: folder,
                client: Client(url, token: token),
                options: ["--url", url, "--token", token]
            )
        )
    } catch {
        await end()
        throw error
    }
    await end()
}

/// A document with one module and one action.
func document(_ function: String) -> String {
    #"[{"name": "Shop.Greeter", "actions": [{"func": "\#(function)"}]}]"#
}
