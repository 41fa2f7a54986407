import HTTPServer

/// The port of a part of the server's own actions.
public enum Exposure: String, CaseIterable, LosslessStringConvertible, Sendable {
    /// The part is turned off: its paths are 404, unless the application has them.
    case none
    /// The part is on the operations port, beside metrics and probes.
    case operationsPort = "operations-port"
    /// The part is on the public port, beside the application's actions.
    case `public`

    /// The name as in a command's options.
    public var description: String { rawValue }

    /// The port of that name; nil if there is none.
    public init?(_ name: String) { self.init(rawValue: name) }
}

extension Server {
    /// The port of administration: tokens, plugs, behaviors and the audit.
    public var administration: Exposure {
        get { configuration.administration }
        set { configuration.administration = newValue }
    }

    /// The port of `/docs` and `/openapi.json`.
    public var documentation: Exposure {
        get { configuration.documentation }
        set { configuration.documentation = newValue }
    }

    /// The port of ``Batch``, `POST /actions`.
    public var batches: Exposure {
        get { configuration.batches }
        set { configuration.batches = newValue }
    }

    /// The port of the console: that of the administration; nil for none.
    var consolePort: Exposure? {
        guard configuration.console, administration != .none, security.takesAny else { return nil }
        return administration
    }

    /// Whether the public folder's pages have the console's origin, on an address that other machines
    /// can reach.
    package var hasPagesBesideConsole: Bool {
        let host = configuration.host
        return consolePort == .public && configuration.publicFolder != nil && host != "localhost"
            && !SocketAddress.tcp(host: host, port: 0).isLoopback
    }

    /// The console's files, if it is on a port.
    func consoleFiles(on port: Exposure) -> ConsoleFiles? {
        consolePort == port ? .embedded : nil
    }

    /// The start-up error for parts on a missing operations port.
    var exposureProblems: [String] {
        guard configuration.operations == nil else { return [] }
        let parts = [
            ("administration", administration), ("documentation", documentation),
            ("batches", batches),
        ]
        return parts.filter { $0.1 == .operationsPort }.map { name, _ in
            "\(name) is on the operations port, but the server has none: set "
                + "configuration.operations"
        }
    }

    /// The server's own actions on a port, besides batches and probes.
    ///
    /// The description lists the application's actions, and administration on the same port.
    func own(
        on port: Exposure,
        _ administration: [ExposedAction],
        documentation describe: ([ExposedAction]) -> [ExposedAction]
    ) -> [ExposedAction] {
        let own = self.administration == port ? administration : []
        if documentation == port { return own + describe(own) }
        // The console reads the description. This port's readers are fewer than the public one's.
        guard documentation == .public, consolePort == port else { return own }
        return own + describe(own).filter { $0.number == RequestSubject.Route.description }
    }
}
