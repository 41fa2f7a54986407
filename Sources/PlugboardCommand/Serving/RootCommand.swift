import ArgumentParser
import Glibc
import System

extension ServerCommand {
    /// Runs the command of the process's arguments.
    public static func main() {
        // Before the run time opens descriptors of its own, which could get the numbers 0 to 2.
        Descriptors.openStandard()
        Task.detached {
            await RootCommand<Self>.main()
            Glibc.exit(EXIT_SUCCESS)
        }
        while true { pause() }
    }
}

/// The command whose subcommands all servers have.
struct RootCommand<Command: ServerCommand>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Command.commandName,
            abstract: Command.abstract,
            version: Command.version,
            // Parsing all subcommands would add 4 ms to a server's start.
            subcommands: CommandLine.arguments.dropFirst().first == "serve"
                ? [Serve<Command>.self]
                : [
                    Serve<Command>.self, Doctor<Command>.self, Migrate<Command>.self, Run.self,
                    Call.self,
                    HealthCommand.self,
                    Routes<Command>.self, OpenAPICommand<Command>.self, Token.self, Plugs.self,
                    Audit.self,
                    BehaviorsCommand.self,
                ] + Command.subcommands
        )
    }
}
