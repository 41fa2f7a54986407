import ArgumentParser
import Plugboard

/// The command `plugboard`.
@main
struct PlugboardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plugboard",
        abstract: "A server that drives apps: behaviors they perform, actions they call.",
        version: Server.version,
        subcommands: [Serve.self, Run.self, Call.self, Routes.self, Token.self]
    )
}
