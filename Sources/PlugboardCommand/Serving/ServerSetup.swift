import ArgumentParser
import CLinux
import CoreMetrics
import Glibc
import JSONCodec
import Logging
import Plugboard
import Settings
import Telemetry

/// A server with all of its options.
struct ServerSetup<Command: ServerCommand> {
    private var server: Server
    private let settings: SettingsReader
    private let logs: Logs
    /// The error for which the server's own code couldn't make it; nil if it did.
    let failure: (any Error)?

    /// Reads the options and makes the server.
    ///
    /// Nothing is opened.
    ///
    /// - Parameters:
    ///   - own: the server's own options of the command line.
    ///   - config: the path of the file with options; nil for that of the environment, if any.
    ///   - given: the command line's texts of serve's options, by name.
    ///   - needsAll: whether all options are shown, those with default values among them.
    ///   - again: parses the server's own options again.
    /// - Throws: `ValidationError` for invalid options, or the server's own error.
    init(
        _ own: Command,
        config: String?,
        given: [String: [String]],
        needsAll: Bool = false,
        again: ([String]) throws -> Command
    ) throws {
        do {
            try self.init(own, config, given, needsAll, { throw $0 }, again)
        } catch let error as SettingsError {
            throw ValidationError(error.problems.joined(separator: "\n       "))
        }
    }

    /// Reads the options for a check.
    ///
    /// If the server's own code can't make the server, the result has one without actions.
    ///
    /// - Throws: `SettingsError` or `ValidationError` for invalid options.
    init(
        checking own: Command,
        config: String?,
        given: [String: [String]],
        again: ([String]) throws -> Command
    ) throws {
        try self.init(own, config, given, true, { _ in }, again)
    }

    /// Reads the options and makes the server; `fail` throws the error of its own code, or not.
    private init(
        _ own: Command,
        _ config: String?,
        _ given: [String: [String]],
        _ needsAll: Bool,
        _ fail: (any Error) throws -> Void,
        _ again: ([String]) throws -> Command
    ) throws {
        let path = config ?? Environment.value(of: ClientOption.config)
        let file: SettingsFile? = if let path { try SettingsFile(path: path) } else { nil }
        settings = SettingsReader(environment: Environment.variables, file: file)
        let arguments = Array(CommandLine.arguments.dropFirst(2))
        // Finding a server's own options takes 0.5 ms.
        let needsOwn =
            needsAll || !settings.isEmpty || OwnOptions<Command>.mayConflict(arguments, given)
        let own = needsOwn ? try OwnOptions.read(own, settings, arguments, again) : own
        var failure: (any Error)?
        (server, logs) = try Self.server(own, settings, given) { error in
            try fail(error)
            failure = error
        }
        self.failure = failure
        server.configuration.optionsFile = path
        server.configuration.optionsInForce = settings.entries.map {
            OptionInForce(name: $0.name, value: $0.value, source: $0.place)
        }
    }

    /// Makes the server; if `fail` doesn't throw the error of its own code, one without actions.
    private static func server(
        _ own: Command,
        _ settings: SettingsReader,
        _ given: [String: [String]],
        _ fail: (any Error) throws -> Void
    ) throws -> (Server, Logs) {
        func make(
            with configuration: Server.Configuration,
            _ make: () throws -> Server
        ) throws -> Server {
            do {
                return try make()
            } catch {
                try fail(error)
                return Server(configuration: configuration)
            }
        }
        if let own = own as? any ConfiguredServerCommand {
            var configuration = ServeValues.standard.server
            let logs = ServeOptions.read(given, settings, into: &configuration)
            try settings.check()
            var server = try make(with: configuration) { try own.server(configuration) }
            leaveOutMissingFolder(of: &server, settings)
            return (server, logs)
        }
        var server = try make(with: Server.Configuration()) { try own.server() }
        let standard = ServeValues.standard.server
        let publicFolder = server.configuration.publicFolder ?? standard.publicFolder
        server.configuration.publicFolder = publicFolder
        server.configuration.dataFolder = server.configuration.dataFolder ?? standard.dataFolder
        let logs = ServeOptions.read(given, settings, into: &server.configuration)
        try settings.check()
        if let publicFolder { server.moveBehaviors(from: publicFolder) }
        leaveOutMissingFolder(of: &server, settings)
        return (server, logs)
    }

    /// Serves no public files if the default folder is missing and nobody named it.
    ///
    /// So a server with a store starts in an empty folder, and serves the documents of its store.
    private static func leaveOutMissingFolder(of server: inout Server, _ settings: SettingsReader) {
        guard settings.isDefault("public"), server.hasDocumentStore,
            let folder = server.configuration.publicFolder,
            folder == ServeValues.standard.server.publicFolder,
            access(folder, F_OK) != 0, errno == ENOENT
        else { return }
        server.leaveOutPublicFolder()
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
        for warning in warnings { Output.writeError(warning) }
    }

    /// Warnings about variables that are ignored or probably misspelt.
    var warnings: [String] {
        settings.warnings(besides: ClientOption.all.map(\.name))
    }

    /// Serves until a signal stops the server.
    func serve() async throws {
        var server = server
        server.configuration.acceptsSystemdSockets = true
        MetricsSystem.bootstrap(Server.metrics)
        let sinks = try logs.bootstrap(&server.configuration)
        defer { sinks.forEach { $0.flush() } }
        let logger = Logger(label: "plugboard")
        for warning in warnings { logger.warning("\(warning)") }
        if let folder = server.missingFolder {
            logger.notice("there is no folder \(folder), so no public files are served")
        }
        // The server was made before the logging system was set up.
        server.logger = logger
        // A reader of JSON needs each line of both streams to be JSON.
        let isJSON = logs.format == .json
        if isJSON { logger.notice("\(start)") }
        let started = server
        server.reportsStartErrors = false
        server.onStart = { running in
            if isJSON {
                logger.notice("\(Banner.line(running))")
            } else {
                Output.announce(Banner.text(running, of: started, examples: Command.examples))
            }
            clinux_release_startup_pages()
        }
        do {
            try await server.run()
        } catch let error as StartError {
            for problem in error.problems {
                Output.writeError("Error: \(Failure(problem).description)")
            }
            throw ExitCode(error.exitStatus)
        }
    }

    /// The options that have a source, each with its value and its source; no secrets.
    var setOptions: [String] {
        settings.entries.compactMap { entry in
            entry.place.map { "\(entry.name)=\(entry.value) (\($0))" }
        }
    }

    /// The texts of the options that have a source.
    var optionTexts: [String] {
        settings.entries.filter { $0.place != nil }.flatMap { entry in
            [entry.value.string].compactMap(\.self)
                + (entry.value.array ?? []).compactMap(\.string)
        }
    }

    /// One line of the log with the version and the settings that have a source.
    private var start: String {
        let set = setOptions
        let settings = set.isEmpty ? "default settings" : set.joined(separator: ", ")
        return "Plugboard \(Command.version) starts with \(settings)"
    }
}
