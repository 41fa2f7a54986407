import ArgumentParser
import PhotoActions

/// The command `plugboard routes`.
struct Routes: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "routes",
        abstract: "Lists the routes that serve exposes."
    )

    func run() {
        Banner.routes(PhotoPlugs.actions).forEach(Output.print)
    }
}
