import ArgumentParser
import JSONCodec
import Plugboard

/// The command `openapi`.
struct OpenAPICommand<Command: ServerCommand>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "openapi",
            abstract: "Prints the server's description in OpenAPI 3.1.",
            discussion: """
                The server of serve with the same options returns it at /openapi.json. The command \
                opens no port and no database. With --diff it lists the changes since another \
                description instead, breaking changes first. The status is 1 if a change breaks \
                clients, 2 if a description can't be read, 0 otherwise.
                """
        )
    }

    @Option("The older description to compare with.", value: "file")
    var diff: String?

    @Argument(help: "The newer description. (default: the server's)")
    var file: String?

    @Flag(help: "Prints the changes of --diff as JSON: breaking and harmless.")
    var json = false

    @OptionGroup var own: Command
    @OptionGroup var options: DescribedOptions

    func run() throws {
        guard file == nil || diff != nil else {
            throw Failure.usage("a file needs --diff with the older description")
        }
        guard let diff else {
            return Output.print(try description())
        }
        let changes: OpenAPIChanges
        do {
            let new = try file.map(Self.read) ?? description()
            changes = OpenAPIChanges(from: try Self.read(diff), to: new)
        } catch let failure as Failure {
            // Status 1 would mean that a change breaks clients.
            Output.writeError("Error: \(failure)")
            throw ExitCode(2)
        }
        if json {
            Output.print([
                "breaking": .array(changes.breaking.map(JSON.string)),
                "harmless": .array(changes.harmless.map(JSON.string)),
            ])
        } else {
            for change in changes.breaking { Output.print("breaks clients: \(change)") }
            for change in changes.harmless { Output.print("harmless: \(change)") }
        }
        guard changes.breaking.isEmpty else { throw ExitCode(1) }
    }

    private func description() throws -> JSON {
        let server = try options.server(of: own) { try Self.parse($0).own }
        do {
            return try server.description()
        } catch {
            throw Failure("\(error)")
        }
    }

    private static func read(_ path: String) throws -> JSON {
        let document = try JSON.file(path)
        guard document["openapi"]?.string?.hasPrefix("3.") == true else {
            throw Failure("\(path) is not an OpenAPI 3 description")
        }
        return document
    }
}
