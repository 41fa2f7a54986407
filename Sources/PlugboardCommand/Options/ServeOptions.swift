import ArgumentParser
import BehaviorStore
import Glibc
import Plugboard
import Settings
import Storage

/// The options of `serve` that all servers have.
struct ServeOptions: ParsableArguments {
    private static let host = Setting("host", default: standard.host)

    @Option(host, "A host name, an address, or unix:PATH.")
    var host: String?

    private static let port = Setting("port", default: standard.port)

    @Option(port, "The port; 0 lets the system choose one.")
    var port: String?

    private static let publicFolder = Setting("public", default: "public")

    @Option(publicFolder, "The folder of public files.", valueName: "folder")
    var publicFolder: String?

    static let data = Setting("data", default: "data")

    @Option(data, "The folder of the server's own data.", valueName: "folder")
    var data: String?

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
        A PostgreSQL database for behavior documents and for the responses to Idempotency-Keys, \
        shared by several servers: postgres://user:password@host/name. Other users see a command \
        line: PLUGBOARD_DATABASE is safer.
        """,
        valueName: "url"
    )
    var database: String?

    private static let behaviorsFolder = Setting<String?>("behaviors-folder", default: nil)

    @Option(
        behaviorsFolder,
        "A folder of files that stores the behavior documents. The files may be edited.",
        valueName: "folder"
    )
    var behaviorsFolder: String?

    @OptionGroup(title: "TLS")
    var tls: TLSOptions

    @OptionGroup(title: "Callers")
    var callers: CallerOptions

    @OptionGroup(title: "Clients")
    var trust: TrustOptions

    @OptionGroup(title: "Operation")
    var operations: OperationsOptions

    @OptionGroup(title: "Limits")
    var bounds: LimitOptions

    /// The configuration of a server without options: the folders `public` and `data`.
    static var standard: Server.Configuration {
        var configuration = Server.Configuration()
        configuration.publicFolder = "public"
        configuration.dataFolder = "data"
        return configuration
    }

    /// Reads all options into a configuration, whose values are the defaults.
    ///
    /// `options` is nil for a command without these options, which reads the environment and the
    /// file only.
    static func read(
        _ options: Self?,
        _ settings: SettingsReader,
        data given: String? = nil,
        into configuration: inout Server.Configuration
    ) -> Logs {
        configuration.host = settings.value(of: host, configuration.host, options?.host)
        configuration.port = settings.value(of: port, configuration.port, options?.port)
        configuration.publicFolder = settings.value(
            of: publicFolder,
            configuration.publicFolder,
            options?.publicFolder
        )
        configuration.dataFolder = settings.value(
            of: data,
            configuration.dataFolder,
            options?.data ?? given
        )
        configuration.loops = settings.value(of: loops, configuration.loops, options?.loops)
        configuration.environment = settings.value(
            of: environment,
            configuration.environment,
            options?.environment
        )
        readDocuments(options, settings, into: &configuration)
        if let tls = TLSOptions.read(options?.tls, settings) { configuration.tls = tls }
        if let tokens = CallerOptions.read(options?.callers, settings) {
            configuration.webTokens = tokens
        }
        TrustOptions.read(options?.trust, settings, into: &configuration)
        let logs = OperationsOptions.read(options?.operations, settings, into: &configuration)
        LimitOptions.read(options?.bounds, settings, into: &configuration)
        // Read-only systems have no folder of that name, and can't make one.
        if settings.isDefault("data"), let folder = configuration.dataFolder,
            folder == standard.dataFolder, access(folder, F_OK) != 0,
            (try? Storage.of(folder).check()) == nil
        {
            configuration.dataFolder = nil
        }
        return logs
    }

    private static func readDocuments(
        _ options: Self?,
        _ settings: SettingsReader,
        into configuration: inout Server.Configuration
    ) {
        let database = settings.value(of: database, options?.database)
        let behaviorsFolder = settings.value(of: behaviorsFolder, options?.behaviorsFolder)
        if database != nil, behaviorsFolder != nil {
            settings.reject(
                "behaviors-folder",
                "the documents are stored in \(settings.place(of: "database")) already"
            )
        }
        if let database { configuration.documents = .postgreSQL(database) }
        if let behaviorsFolder { configuration.documents = .folder(behaviorsFolder) }
    }
}
