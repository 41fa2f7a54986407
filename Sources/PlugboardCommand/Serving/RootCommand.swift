import ArgumentParser
import Glibc
import System

extension ServerCommand {
    /// Runs the command of the process's arguments.
    public static func main() {
        // Before the run time opens descriptors of its own, which could get the numbers 0 to 2.
        Descriptors.openStandard()
        Task.detached {
            await RootCommand<Self>.perform()
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
                    BehaviorsCommand.self, GenerateCommand.self,
                ] + Command.subcommands
        )
    }
}

extension RootCommand {
    /// Runs the command of the process's arguments; an error ends the process.
    fileprivate static func perform() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            end(error)
        }
    }

    /// Ends the process with an error's text and status; an invalid argument prints no usage.
    private static func end(_ error: any Error) -> Never {
        guard exitCode(for: error) == .validationFailure, !(error is ExitCode) else {
            exit(withError: error)
        }
        let (names, subcommands) = place(of: CommandLine.arguments.dropFirst())
        let failure = ArgumentFailure(
            message(for: error),
            command: names.joined(separator: " "),
            subcommands: subcommands
        )
        for line in failure.lines { Output.writeError(line) }
        Glibc.exit(ExitCode.validationFailure.rawValue)
    }

    /// Returns the names of the command that the arguments begin with, and its subcommands' names.
    private static func place(
        of arguments: some Sequence<String>
    ) -> (names: [String], subcommands: [String]) {
        var command: any ParsableCommand.Type = Self.self
        var names = [command._commandName]
        for argument in arguments {
            let known = command.configuration.subcommands
            guard let next = known.first(where: { $0._commandName == argument }) else { break }
            command = next
            names.append(argument)
        }
        return (names, command.configuration.subcommands.map { $0._commandName })
    }
}
