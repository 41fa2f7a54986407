import PlugboardCommand

/// The command `plugboard`: a server of behavior documents and public files, without actions of its own.
@main
struct PlugboardServer: ServerCommand {
    static let commandName = "plugboard"
    static let abstract = "A server that drives apps: behaviors they perform, actions they call."
    static var subcommands: [any ParsableCommand.Type] { [CreatePackage.self] }

    func server() -> Server { Server(behaviors: .file("public/behaviors.json")) }
}
