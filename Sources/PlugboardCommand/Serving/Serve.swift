import ArgumentParser

/// The command `serve`.
struct Serve<Command: ServerCommand>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "serve",
            abstract: "Serves behaviors, actions and public files.",
            discussion: """
                Each option may also be set in the environment, --head-timeout as \
                PLUGBOARD_HEAD_TIMEOUT (lists with commas), and in the JSON object in the file of \
                --config: {"port": 9000, "head-timeout": 5}. The command line takes precedence \
                over the environment, and the environment over the file. The file is read at the \
                start only. SIGHUP reloads TLS files. On SIGTERM and SIGINT the server completes \
                the requests in flight; then the command ends with status 0.
                """
        )
    }

    @Option(ClientOption.config)
    var config: String?

    @Flag(
        help: """
            Prints the options as JSON for --config, and on the standard error the source of each; \
            then ends.
            """
    )
    var printConfig = false

    @OptionGroup var own: Command
    @OptionGroup var options: ServeOptions

    func run() async throws {
        let setup = try ServerSetup(
            own,
            config: config,
            given: options.given,
            needsAll: printConfig
        ) { try Self.parse($0).own }
        if printConfig { return setup.show() }
        try await setup.serve()
    }
}
