import ArgumentParser
import Plugboard

/// The options of commands that describe a server without running it.
///
/// The environment and the file may set more options of `serve`.
struct DescribedOptions: ParsableArguments {
    @Option(ClientOption.config)
    var config: String?

    @Option(GeneralOptions.data)
    var data: String?

    /// Returns the server, which opens nothing; `again` parses its own options again.
    func server<Command: ServerCommand>(
        of own: Command,
        again: ([String]) throws -> Command
    ) throws -> Server {
        let given = data.map { [GeneralOptions.data.name: [$0]] } ?? [:]
        return try ServerSetup(own, config: config, given: given, again: again).described
    }
}
