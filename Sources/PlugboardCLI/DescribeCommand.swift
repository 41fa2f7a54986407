import ArgumentParser
import JSONCodec
import Plugboard

/// The command `plugboard openapi`.
struct Describe: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openapi",
        abstract: "Prints what serve exposes with the same options, in OpenAPI 3.1.",
        discussion: """
            It is what serve answers at /openapi.json; nothing is opened for it. With --diff the \
            command says instead what has changed since another description, what breaks clients \
            first. The status is 1 if something does, 0 if nothing does.
            """
    )

    @Option("A description to compare with.", value: "file")
    var diff: String?

    @Argument(help: "A description to compare in place of serve's.")
    var file: String?

    @OptionGroup var exposure: ExposureOptions

    func run() throws {
        guard file == nil || diff != nil else {
            throw Failure.usage("a file is compared with what --diff names")
        }
        let new = try file.map(Self.read) ?? description()
        guard let diff else {
            return Output.print(new)
        }
        let changes = OpenAPIChanges(from: try Self.read(diff), to: new)
        for change in changes.breaking { Output.print("breaks clients: \(change)") }
        for change in changes.harmless { Output.print("harmless: \(change)") }
        guard changes.breaking.isEmpty else { throw ExitCode(1) }
    }

    private func description() throws -> JSON {
        let server = try exposure.options().server()
        do {
            return try server.description()
        } catch {
            throw Failure("\(error)")
        }
    }

    private static func read(_ path: String) throws -> JSON {
        let document = try JSON.file(path)
        guard document["openapi"]?.string?.hasPrefix("3.") == true else {
            throw Failure("\(path) isn't a description in OpenAPI 3")
        }
        return document
    }
}
