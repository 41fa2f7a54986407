import ArgumentParser
import Glibc
import Plugboard
import System

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
    /// Opens the server of a plain command line itself: a task would have it wait for threads.
    ///
    /// Then it waits while a task does the rest: what an asynchronous `main` leaves the main thread to
    /// ends it, and to end a thread glibc loads a library first.
    static func main() {
        Descriptors.openStandard()
        let opened = open()
        Task.detached {
            await run(opened)
            exit(EXIT_SUCCESS)
        }
        while true { pause() }
    }

    private static func open() -> Serve.OpenedServer? {
        do {
            return try PlainArguments(CommandLine.arguments.dropFirst()).flatMap(Serve.open)
        } catch {
            PlugboardCommand.exit(withError: error)
        }
    }

    private static func run(_ opened: Serve.OpenedServer?) async {
        guard let opened else { return await PlugboardCommand.main() }
        do {
            try await opened.serve()
        } catch {
            PlugboardCommand.exit(withError: error)
        }
    }
}
