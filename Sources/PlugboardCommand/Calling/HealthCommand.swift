import ArgumentParser
import HTTPSyntax
import JSONCodec
import Plug
import PlugHTTP
import Plugboard
import PlugboardClient
import Settings

/// The command `health`.
struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Asks a server on this machine whether it is ready.",
        discussion: """
            The command sends GET /readyz to the operations port of serve, which it finds by the \
            same settings: PLUGBOARD_METRICS_HOST, PLUGBOARD_METRICS_PORT and the file of --config. \
            It prints one line. The status is 0 if the server is ready, and 1 otherwise. A \
            container's health check and a service's start script can call it.
            """
    )

    @Option("The server's URL, in place of the operations port.", value: "url")
    var url: String?

    @Flag(help: "Sends GET /healthz: whether the server responds, ready or not.")
    var live = false

    @Flag(help: "Prints the state as JSON.")
    var json = false

    @Option(ClientOption.config)
    var config: String?

    @Option(ClientOption.authorities)
    var ca: String?

    /// Shorter than the usual timeout of an orchestrator's health check.
    private static let timeout = Duration.seconds(4)

    func run() async throws {
        let place = try url ?? operationsURL()
        let action: any ActionProtocol.Type = live ? Liveness.self : Readiness.self
        let shown = RedactedURL.text(place)
        let state = live ? "live" : "ready"
        if json { return try await printState(place, action, shown, state) }
        do {
            _ = try await client(place).send(ActionRoute(action), nil)
            Output.print("\(shown) is \(state)")
        } catch let problem as Problem {
            throw Failure("\(shown) is not \(state): \(problem)")
        } catch {
            throw Failure("\(shown) is not \(state): \(ClientOptions.text(error))")
        }
    }

    /// Prints the state as JSON; the status is 1 without it.
    private func printState(
        _ place: String,
        _ action: any ActionProtocol.Type,
        _ shown: String,
        _ state: String
    ) async throws {
        var result: JSON.Object = ["url": .string(shown)]
        do {
            _ = try await client(place).send(ActionRoute(action), nil)
            result[state] = true
        } catch {
            result[state] = false
            result["reason"] = .string(ClientOptions.text(error))
        }
        Output.print(.object(result))
        guard result[state] == true else { throw ExitCode(1) }
    }

    private func client(_ url: String) -> Client {
        var limits = SocketTransport.Limits()
        limits.connectTimeout = Self.timeout
        limits.timeout = Self.timeout
        let authorities = ca ?? Environment.value(of: ClientOption.authorities)
        return Client(url, transport: SocketTransport(limits: limits, authorities: authorities))
    }

    /// Returns the URL of the operations port by the environment and the file.
    private func operationsURL() throws -> String {
        do {
            let path = config ?? Environment.value(of: ClientOption.config)
            let file: SettingsFile? = if let path { try SettingsFile(path: path) } else { nil }
            let settings = SettingsReader(environment: Environment.variables, file: file)
            return try Self.operationsURL(settings)
        } catch let error as SettingsError {
            throw Failure(error.problems.joined(separator: "; "))
        }
    }

    /// Returns the URL of the operations port that `serve` opens with these settings.
    static func operationsURL(_ settings: SettingsReader) throws -> String {
        var values = ServeValues.standard
        for option in OperationsOptions.options { option.read(settings, nil, &values) }
        OperationsOptions.complete(&values, settings)
        try settings.checkValues()
        guard let operations = values.server.operations else {
            throw Failure("The operations port is off. Set --metrics-port of serve, or give --url.")
        }
        guard operations.port != 0 else {
            throw Failure(
                "The system chooses the operations port. Set --metrics-port of serve, or give --url."
            )
        }
        return "http://\(authority(of: operations.host)):\(operations.port)"
    }

    /// Returns the host of a URL that reaches a server at this address.
    ///
    /// A server at the wildcard address accepts connections to the loopback address.
    static func authority(of host: String) -> String {
        let bare =
            host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        switch bare {
        case "0.0.0.0", "": return "127.0.0.1"
        case "::": return "[::1]"
        default: return bare.contains(":") ? "[\(bare)]" : bare
        }
    }
}
