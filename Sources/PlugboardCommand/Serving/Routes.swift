import ArgumentParser
import JSONCodec
import Plugboard

/// The command `routes`.
struct Routes<Command: ServerCommand>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "routes",
            abstract: "Lists the routes that serve exposes with the same options."
        )
    }

    @Flag(help: "Prints the routes as JSON: method, path and name.")
    var json = false

    @OptionGroup var own: Command
    @OptionGroup var options: DescribedOptions

    func run() throws {
        let server = try options.server(of: own) { try Self.parse($0).own }
        if json {
            return Output.print(
                .array(Banner.routeRows(server).map { Self.json(of: $0.route, $0.name) })
            )
        }
        Banner.routes(server).forEach { Output.print($0) }
    }

    private static func json(of route: String, _ name: String) -> JSON {
        let parts = route.split(separator: " ", maxSplits: 1).map(String.init)
        return [
            "method": .string(parts[0]), "path": .string(parts.count > 1 ? parts[1] : ""),
            "name": .string(name),
        ]
    }
}
