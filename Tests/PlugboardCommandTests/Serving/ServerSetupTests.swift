import ArgumentParser
import Plug
import PlugHTTP
import Plugboard
import Testing

@testable import PlugboardCommand

private class Greet: Action<Void, String>, GET { static var path: String { "/greeting" } }

private struct Greeter: ServerCommand {
    static let examples = ["/greeting"]
    @Option(help: "The greeting.") var greeting = "Hello"

    func server() -> Server {
        let greeting = greeting
        Greet.self <~ { greeting }
        var server = Server(behaviors: .file("public/behaviors.json")) { Greet.self }
        server.configuration.idleTimeout = 7
        return server
    }
}

private struct Configured: ConfiguredServerCommand {
    func server(_ configuration: Server.Configuration) -> Server {
        Server(behaviors: .file("other.json"), configuration: configuration) { Greet.self }
    }
}

@Suite("A server with its options")
struct ServerSetupTests {
    private func described<Command: ServerCommand>(
        _ command: Command.Type,
        _ arguments: String...
    ) throws -> Server {
        guard
            let parsed = try RootCommand<Command>.parseAsRoot(["routes"] + arguments)
                as? Routes<Command>
        else { throw CancellationError() }
        return try parsed.options.server(of: parsed.own) { _ in parsed.own }
    }

    @Test("a command's server gets the default options, except for its own settings")
    func plain() throws {
        let server = try described(Greeter.self)
        #expect(server.configuration.idleTimeout == 7)
        #expect(server.configuration.publicFolder == "public")
        #expect(server.actions.map(\.route) == ["GET /greeting"])
    }

    @Test("a configured command gets the options")
    func configured() throws {
        let server = try described(Configured.self, "--data", "/dev/null/x")
        #expect(server.configuration.dataFolder == "/dev/null/x")
        #expect(try Configured.parse([]).server().configuration.publicFolder == "public")
    }

    @Test("only a behavior document in the public folder moves with that folder")
    func behaviors() throws {
        var server = Server(behaviors: .file("public/behaviors.json"))
        server.configuration.publicFolder = "site"
        server.moveBehaviors(from: "public")
        #expect(server.behaviorsPath == "site/behaviors.json")
        var other = Server(behaviors: .file("publicity/behaviors.json"))
        other.configuration.publicFolder = "site"
        other.moveBehaviors(from: "public")
        #expect(other.behaviorsPath == "publicity/behaviors.json")
    }

    @Test("the routes have a behavior document only if the server has one")
    func routes() {
        let bare = Server { Greet.self }
        #expect(Banner.routes(bare) == ["GET /greeting  Greet"])
        let full = Server(behaviors: .file("public/behaviors.json")) { Greet.self }
        #expect(Banner.routes(full).first == "GET /behaviors.json  the behavior document")
    }

    @Test("a server has all subcommands, and the name of its executable")
    func commands() {
        let configuration = RootCommand<Greeter>.configuration
        #expect(
            configuration.subcommands.map { $0.configuration.commandName } == [
                "serve", "doctor", "migrate", "run", "call", "health", "routes", "openapi", "token",
                "plugs",
                "audit", "behaviors", "generate",
            ]
        )
        #expect(!Greeter.commandName.isEmpty && !Greeter.commandName.contains("/"))
        let help = RootCommand<Greeter>.helpMessage(for: Serve<Greeter>.self)
        for option in ["--greeting", "--port", "--head-timeout", "--tls-cert", "--log-format"] {
            #expect(help.contains(option), "\(option)")
        }
    }
}
