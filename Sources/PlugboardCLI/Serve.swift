import ArgumentParser
import CLinux
import Glibc
import Locking
import Logging
import PhotoActions
import PlugboardClient
import Plugboard
import Telemetry

/// The command `plugboard serve`.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves behaviors, the photo sample's actions and the public files.",
        discussion: """
            Each option may also stand in the environment, as PLUGBOARD_HOST, PLUGBOARD_PORT and so \
            on; PLUGBOARD_PLUG is a list with commas. SIGTERM and SIGINT let the requests in flight \
            complete, then the command ends with status 0. SIGHUP has TLS files read anew.
            """
    )

    @Option(help: "A host name, an address, or unix:PATH. (default: 127.0.0.1)")
    var host: String?

    @Option(help: "The port; 0 lets the system choose one. (default: 8080)")
    var port: UInt16?

    @Option(name: .customLong("public"), help: "The folder of public files. (default: public)")
    var publicFolder: String?

    @Option(help: "The folder of the database. (default: data)")
    var data: String?

    @Option(help: "Event loops, each with a thread. (default: one for each core)")
    var loops: Int?

    @Option(
        help: ArgumentHelp(
            "Wires an action to another implementation, such as LikePhoto=MemoryLikePhoto.",
            valueName: "action=implementation"
        )
    )
    var plug: [String] = []

    @Option(help: "The server that Network… implementations ask, such as http://localhost:8081.")
    var upstream: String?

    @OptionGroup(title: "TLS")
    var tls: TLSOptions

    @OptionGroup(title: "Operation")
    var operations: OperationsOptions

    @OptionGroup var bounds: Bounds

    func run() async throws {
        let publicFolder = try Environment.resolve(publicFolder, "PUBLIC", default: "public")
        var configuration = Server.Configuration(
            host: try Environment.resolve(host, "HOST", default: "127.0.0.1"),
            port: try Environment.resolve(port, "PORT", default: 8080),
            publicFolder: publicFolder
        )
        configuration.loops = try Environment.resolve(
            loops,
            "loops",
            in: 1...256,
            default: configuration.loops
        )
        try bounds.apply(to: &configuration)
        configuration.tls = try tls.resolved()
        let isSecure = configuration.tls != nil
        do {
            configuration.sockets = try ServiceManager.takeSockets()
        } catch {
            throw Failure("\(error)")
        }
        let sinks = try operations.apply(to: &configuration)
        defer { sinks.forEach { $0.flush() } }
        let database = try wire()
        var server = Server(
            behaviors: .file("\(publicFolder)/behaviors.json"),
            configuration: configuration
        ) {
            PhotoPlugs.actions
        }
        server.readiness = [ReadinessCheck(PhotosAnswer.self)]
        server.preparation = database.map(Self.opening)
        let actions = server.actions
        server.onStart = { start in
            Banner.print(start, isSecure: isSecure, actions: actions)
            clinux_release_startup_pages()
        }
        do {
            try await server.run()
        } catch let error as StartError {
            throw Failure(error.description)
        }
    }

    /// Plugs each action, and returns the database if one of them needs it.
    private func wire() throws -> PhotoDatabase? {
        let chosen = try Self.pairs(Environment.resolve(plug, "PLUG"))
        let upstream = upstream ?? Environment.value("UPSTREAM")
        let folder = try Environment.resolve(data, "DATA", default: "data")
        let database = Once { PhotoDatabase(folder: folder) }
        let memory = Once { MemoryPhotos() }
        let sources = PhotoPlugs.Sources(
            database: { database.value },
            memory: { memory.value },
            network: {
                guard let upstream else {
                    throw ValidationError("a Network… implementation needs --upstream")
                }
                return Client(upstream)
            }
        )
        do {
            try PhotoPlugs.plug(chosen, sources: sources)
        } catch let error as UnknownPlug {
            throw ValidationError("--plug: \(error)")
        }
        return database.made
    }

    /// Opens the database while the server answers what needs none.
    private static func opening(_ database: PhotoDatabase) -> @Sendable () async throws -> Void {
        {
            do {
                try await database.open()
            } catch {
                throw Failure("the database in \(database.folder) can't be opened: \(error)")
            }
        }
    }

    private static func pairs(_ options: [String]) throws -> [String: String] {
        var pairs: [String: String] = [:]
        for option in options {
            let parts = option.split(separator: "=", omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
                throw ValidationError("--plug: '\(option)' is not ACTION=IMPLEMENTATION")
            }
            pairs[String(parts[0])] = String(parts[1])
        }
        return pairs
    }
}

/// A value that is made when it is first asked for, and once.
private final class Once<Value: Sendable>: Sendable {
    private let state = Locked<Value?>(nil)
    private let make: @Sendable () -> Value

    init(_ make: @escaping @Sendable () -> Value) { self.make = make }

    /// The value, if it was asked for.
    var made: Value? { state.withLock { $0 } }

    var value: Value {
        state.withLock { made in
            let value = made ?? make()
            made = value
            return value
        }
    }
}
