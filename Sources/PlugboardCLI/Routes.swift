import ArgumentParser
import Plugboard

/// The command `plugboard routes`.
struct Routes: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "routes",
        abstract: "Lists the routes that serve exposes with the same options."
    )

    @OptionGroup var exposure: ExposureOptions

    func run() throws {
        Banner.routes(try exposure.options().server().actions).forEach { Output.print($0) }
    }
}
