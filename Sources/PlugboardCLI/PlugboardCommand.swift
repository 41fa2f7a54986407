import ArgumentParser
import Plugboard

/// The command `plugboard`.
struct PlugboardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plugboard",
        abstract: "A server that drives apps: behaviors they perform, actions they call.",
        version: Server.version,
        subcommands: [
            Serve.self, Run.self, Call.self, Routes.self, Describe.self, Token.self, Plugs.self,
            Audit.self,
            BehaviorsCommand.self,
        ]
    )
}

@main
enum Program {
    static func main() async {
        do {
            if let arguments = PlainArguments(CommandLine.arguments.dropFirst()),
                try await Serve.run(arguments)
            {
                return
            }
        } catch {
            PlugboardCommand.exit(withError: error)
        }
        await PlugboardCommand.main()
    }
}
