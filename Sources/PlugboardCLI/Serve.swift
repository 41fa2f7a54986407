import ArgumentParser
import BehaviorStore
import CLinux
import CoreMetrics
import JSONCodec
import Logging
import OrderActions
import PhotoActions
import Plugboard
import Settings
import Storage
import Telemetry

/// The command `plugboard serve`.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves behaviors, the photo sample's actions and the public files.",
        discussion: """
            Each option may also stand in the environment, --head-timeout as PLUGBOARD_HEAD_TIMEOUT \
            and so on (lists with commas), and under its name in the JSON object in the file of \
            --config: {"port": 9000, "plug": ["LikePhoto=MemoryLikePhoto"]}. The command line goes \
            before the environment, that before the file. The file is read at the start only; SIGHUP \
            has TLS files read anew. SIGTERM and SIGINT let the requests in flight complete, then \
            the command ends with status 0.
            """
    )

    @Option("A JSON file with these options.", value: "file")
    var config: String?

    @Flag(
        help: """
            Prints the options as they stand, JSON for --config, and on the standard error where each \
            comes from; then ends.
            """
    )
    var printConfig = false

    private static let host = Setting("host", default: standard.host)

    @Option(host, "A host name, an address, or unix:PATH.")
    var host: String?

    private static let port = Setting("port", default: standard.port)

    @Option(port, "The port; 0 lets the system choose one.")
    var port: String?

    private static let publicFolder = Setting("public", default: "public")

    @Option(publicFolder, "The folder of public files.")
    var publicFolder: String?

    private static let loops = Setting<Int>(
        "loops",
        in: 1...256,
        default: standard.loops,
        defaultText: "one for each core"
    )

    @Option(loops, "Event loops, each with a thread.")
    var loops: String?

    private static let environment = Setting(
        "environment",
        default: standard.environment,
        expected: DocumentKey.shape,
        accepts: DocumentKey.isName
    )

    @Option(
        environment,
        "The environment whose behavior documents are served, such as staging.",
        valueName: "name"
    )
    var environment: String?

    private static let database =
        Setting<String?>(
            "database",
            default: nil,
            hides: { _ in true },
            expected: "postgres://user:password@host/name",
            accepts: {
                $0.map { $0.hasPrefix("postgres://") || $0.hasPrefix("postgresql://") } ?? true
            }
        )

    @Option(
        database,
        """
        A PostgreSQL that keeps the behavior documents and what was answered for Idempotency-Keys, \
        shared by several servers: \
        postgres://user:password@host/name. Others see a command line: PLUGBOARD_DATABASE is better.
        """,
        valueName: "url"
    )
    var database: String?

    private static let behaviorsFolder = Setting<String?>("behaviors-folder", default: nil)

    @Option(
        behaviorsFolder,
        "A folder of files that keeps the behavior documents, which may be edited there.",
        valueName: "folder"
    )
    var behaviorsFolder: String?

    @OptionGroup var samples: SampleOptions

    @OptionGroup(title: "TLS")
    var tls: TLSOptions

    @OptionGroup(title: "Callers")
    var callers: CallerOptions

    @OptionGroup(title: "Operation")
    var operations: OperationsOptions

    @OptionGroup var bounds: Bounds

    private static let standard = Server.Configuration()

    func run() async throws {
        let settings: SettingsReader
        let options: Options
        do throws(SettingsError) {
            settings = try Self.settings(config)
            options = try Options(settings, self, samples: samples)
        } catch {
            throw Self.refusal(error)
        }
        if printConfig { return show(settings) }
        try await options.open(settings.doubts(besides: Environment.others)).serve()
    }

    /// Opens a server by a command line that needs no parser; nil, and nothing done, where something
    /// is wrong with it.
    static func open(_ arguments: PlainArguments) throws -> OpenedServer? {
        guard let settings = try? settings(arguments.config, arguments: arguments.values),
            let options = try? Options(settings)
        else { return nil }
        return try options.open(settings.doubts(besides: Environment.others))
    }

    /// The settings of a command line, of the environment and of the file that `config` or the
    /// environment names.
    static func settings(
        _ config: String?,
        arguments: [String: [String]]? = nil
    ) throws(SettingsError) -> SettingsReader {
        let path = config ?? Environment.value("CONFIG")
        let file: SettingsFile? = if let path { try SettingsFile(path: path) } else { nil }
        return SettingsReader(arguments: arguments, environment: Environment.variables, file: file)
    }

    static func refusal(_ error: SettingsError) -> ValidationError {
        ValidationError(error.problems.joined(separator: "\n       "))
    }

    private func show(_ settings: SettingsReader) {
        Output.print(settings.document)
        let width = settings.entries.map(\.name.count).max() ?? 0
        for entry in settings.entries {
            let gap = String(repeating: " ", count: width - entry.name.count + 2)
            Output.complain(entry.name + gap + (entry.place ?? "default"))
        }
        for doubt in settings.doubts(besides: Environment.others) { Output.complain(doubt) }
    }

    /// What the command is to serve, and how.
    struct Options {
        private var configuration = Server.Configuration()
        private let publicFolder: String
        private let hasOrders: Bool
        private let wiring: PhotoWiring
        private let logs: Logs

        /// Reads the settings; `command` and `samples` are nil where no parser has made them.
        init(
            _ settings: SettingsReader,
            _ command: Serve? = nil,
            samples: SampleOptions? = nil
        ) throws(SettingsError) {
            configuration.host = settings.value(of: Serve.host, command?.host)
            configuration.port = settings.value(of: Serve.port, command?.port)
            publicFolder = settings.value(of: Serve.publicFolder, command?.publicFolder)
            configuration.publicFolder = publicFolder
            configuration.loops = settings.value(of: Serve.loops, command?.loops)
            configuration.environment = settings.value(of: Serve.environment, command?.environment)
            let database = settings.value(of: Serve.database, command?.database)
            let behaviorsFolder = settings.value(
                of: Serve.behaviorsFolder,
                command?.behaviorsFolder
            )
            if database != nil, behaviorsFolder != nil {
                settings.refuse(
                    "behaviors-folder",
                    "the documents are kept by \(settings.place(of: "database")) already"
                )
            }
            configuration.documents =
                database.map { .postgreSQL($0) } ?? behaviorsFolder.map { .folder($0) }
            hasOrders = settings.value(of: SampleOptions.hasOrders, samples?.orders)
            wiring = PhotoOptions.read(samples?.photos, settings)
            configuration.tls = TLSOptions.read(command?.tls, settings)
            configuration.webTokens = CallerOptions.read(command?.callers, settings)
            logs = OperationsOptions.read(command?.operations, settings, into: &configuration)
            Bounds.read(command?.bounds, settings, into: &configuration)
            try settings.check()
        }

        /// The server and what its actions are wired to; nothing is opened.
        func server(_ changed: Server.Configuration? = nil) throws -> Server {
            var configuration = changed ?? configuration
            let database = try wiring.wire()
            try database?.check()
            configuration.dataFolder = hasOrders ? wiring.folder : wiring.dataFolder(database)
            if hasOrders { try OrderPlugs.plug(Storage.of(wiring.folder)) }
            var server = Server(
                behaviors: .file("\(publicFolder)/behaviors.json"),
                configuration: configuration
            ) {
                PhotoPlugs.actions
                if hasOrders { OrderPlugs.actions }
            }
            server.readiness = [ReadinessCheck(PhotosAnswer.self)]
            server.preparation = database.map(PhotoWiring.opening)
            return server
        }

        /// Opens the sockets and answers from now on; what is doubtful about the settings is told
        /// first.
        func open(_ doubts: [String]) throws -> OpenedServer {
            var configuration = configuration
            configuration.takesSockets = true
            MetricsSystem.bootstrap(Server.metrics)
            let sinks = try logs.bootstrap(&configuration)
            do {
                for doubt in doubts { Logger(label: "plugboard").warning("\(doubt)") }
                var server = try server(configuration)
                let actions = server.actions
                let isSecure = configuration.tls != nil
                server.onStart = { start in
                    Banner.print(start, isSecure: isSecure, actions: actions)
                    clinux_release_startup_pages()
                }
                return OpenedServer(server: server, running: try server.open(), sinks: sinks)
            } catch {
                sinks.forEach { $0.flush() }
                throw Serve.failure(error)
            }
        }
    }

    /// A server that answers, but for what it does in the background.
    struct OpenedServer {
        fileprivate let server: Server
        /// Nil where it was told to stop before it had started.
        fileprivate let running: RunningServer?
        fileprivate let sinks: [LogSink]

        /// Serves until it is told to stop.
        func serve() async throws {
            defer { sinks.forEach { $0.flush() } }
            do {
                if let running { try await server.run(running) }
            } catch {
                throw Serve.failure(error)
            }
        }
    }

    /// What people are told of an error.
    private static func failure(_ error: any Error) -> any Error {
        (error as? StartError).map { Failure($0.description) } ?? error
    }
}
