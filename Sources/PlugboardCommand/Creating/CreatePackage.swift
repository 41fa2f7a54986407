package import ArgumentParser

/// The command `plugboard new`: writes the package of a new server, its app's end and its tests.
package struct CreatePackage: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Creates a package: actions, a server, a client for apps, tests.",
        discussion: """
            The package has two actions, which its tests call. `swift test` and `swift run NAME \
            serve` work at once. A Dockerfile and a workflow for GitHub's CI are in it.
            """
    )

    @Argument(help: "The package's name, such as notes: a-z, 0-9 and single hyphens.")
    var name: String

    @Option(help: "The folder of Plugboard's sources, or the URL of its Git repository.")
    var plugboard: String

    @Option(help: "The package's folder, missing or empty; by default ./NAME.")
    var path: String?

    package init() {}

    package func run() throws {
        let package = try NewPackage(name: name, dependency: PlugboardDependency(plugboard))
        let folder = path ?? name
        for file in try package.write(to: folder) { Output.print("\(folder)/\(file)") }
        Output.print("Next: cd \(folder) && swift test && swift run \(name) serve")
    }
}
