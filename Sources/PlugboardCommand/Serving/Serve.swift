import ArgumentParser
import CLinux
import CoreMetrics
import JSONCodec
import Logging
import Plugboard
import Settings
import Telemetry

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

    @Option("A JSON file with these options.", value: "file")
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
            needsAll: printConfig,
            again: { try Self.parse($0).own }
        ) {
            settings,
            configuration in
            ServeOptions.read(options, settings, into: &configuration)
        }
        if printConfig { return setup.show() }
        try await setup.serve()
    }
}

/// A server with all of its options.
struct ServerSetup<Command: ServerCommand> {
    private let server: Server
    private let settings: SettingsReader
    private let logs: Logs

    private typealias Reader = (SettingsReader, inout Server.Configuration) -> Logs

    /// Reads the options of a command that describes the server, and makes it.
    ///
    /// Nothing is opened.
    init(
        _ own: Command,
        _ options: DescribedOptions,
        again: ([String]) throws -> Command
    ) throws {
        try self.init(own, config: options.config, again: again) { settings, configuration in
            ServeOptions.read(nil, settings, data: options.data, into: &configuration)
        }
    }

    /// Reads the options and makes the server.
    ///
    /// Nothing is opened.
    init(
        _ own: Command,
        config: String?,
        needsAll: Bool = false,
        again: ([String]) throws -> Command,
        _ read: (SettingsReader, inout Server.Configuration) -> Logs
    ) throws {
        do {
            let path = config ?? Environment.value("CONFIG")
            let file: SettingsFile? = if let path { try SettingsFile(path: path) } else { nil }
            settings = SettingsReader(environment: Environment.variables, file: file)
            // Finding a server's own options takes 3 ms.
            let own =
                needsAll || !settings.isEmpty
                ? try OwnOptions.read(
                    own,
                    settings,
                    Array(CommandLine.arguments.dropFirst(2)),
                    again
                )
                : own
            (server, logs) = try Self.server(own, settings, read)
        } catch let error as SettingsError {
            throw ValidationError(error.problems.joined(separator: "\n       "))
        }
    }

    private static func server(
        _ own: Command,
        _ settings: SettingsReader,
        _ read: Reader
    ) throws -> (Server, Logs) {
        if let own = own as? any ConfiguredServerCommand {
            var configuration = ServeOptions.standard
            let logs = read(settings, &configuration)
            try settings.check()
            return (try own.server(configuration), logs)
        }
        var server = try own.server()
        let publicFolder = server.configuration.publicFolder ?? "public"
        server.configuration.publicFolder = publicFolder
        server.configuration.dataFolder = server.configuration.dataFolder ?? "data"
        let logs = read(settings, &server.configuration)
        try settings.check()
        server.moveBehaviors(from: publicFolder)
        return (server, logs)
    }

    /// The server, for commands that describe it.
    var described: Server { server }

    /// Prints the options with their sources.
    func show() {
        Output.print(settings.document)
        let width = settings.entries.map(\.name.count).max() ?? 0
        for entry in settings.entries {
            let gap = String(repeating: " ", count: width - entry.name.count + 2)
            Output.writeError(entry.name + gap + (entry.place ?? "default"))
        }
        for doubt in settings.possibleMistakes(besides: Environment.others) {
            Output.writeError(doubt)
        }
    }

    /// Serves until a signal stops the server.
    func serve() async throws {
        var server = server
        server.configuration.takesSockets = true
        MetricsSystem.bootstrap(Server.metrics)
        let sinks = try logs.bootstrap(&server.configuration)
        defer { sinks.forEach { $0.flush() } }
        let logger = Logger(label: "plugboard")
        for doubt in settings.possibleMistakes(besides: Environment.others) {
            logger.warning("\(doubt)")
        }
        // The server was made before the logging system was set up.
        server.logger = logger
        let started = server
        server.onStart = { running in
            Banner.print(running, of: started, examples: Command.examples)
            clinux_release_startup_pages()
        }
        do {
            try await server.run()
        } catch let error as StartError {
            throw Failure(error.description)
        }
    }
}
