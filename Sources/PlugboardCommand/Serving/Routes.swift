import ArgumentParser
import Plugboard

/// The command `routes`.
struct Routes<Command: ServerCommand>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "routes",
            abstract: "Lists the routes that serve exposes with the same options."
        )
    }

    @OptionGroup var own: Command
    @OptionGroup var options: DescribedOptions

    func run() throws {
        let server = try options.server(of: own) { try Self.parse($0).own }
        Banner.routes(server).forEach { Output.print($0) }
    }
}
