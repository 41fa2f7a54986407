import ArgumentParser
import Glibc
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
    /// Waits itself while a task does the work: what an asynchronous `main` leaves the main thread
    /// to ends it, and to end a thread glibc loads a library first.
    static func main() {
        Task.detached {
            await run()
            exit(EXIT_SUCCESS)
        }
        while true { pause() }
    }

    private static func run() async {
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
