import HTTPServer
import Plugboard

extension ServerChecks {
    /// Checks that the ports are free, or belong to a running server.
    func ports() async -> [Finding] {
        var operations: Finding?
        var isServed = false
        if let settings = configuration.operations {
            let address = SocketAddress.tcp(host: settings.host, port: settings.port)
            let state =
                Self.overlap(configuration.address, address)
                ? .same : await PortState.find(address, scheme: "http")
            isServed = state == .served
            operations = Self.operationsPort(address, state, isOptional: settings.isOptional)
        }
        let scheme = configuration.tls == nil ? "http" : "https"
        let state = await PortState.find(configuration.address, scheme: scheme)
        let shown = configuration.address.description(scheme: scheme)
        let finding = Self.publicPort(shown, state, isOperationsPortServed: isServed)
        return [finding] + [operations].compactMap(\.self)
    }

    /// Returns the result of the public port.
    static func publicPort(
        _ shown: String,
        _ state: PortState,
        isOperationsPortServed: Bool
    ) -> Finding {
        // A certificate of a private authority doesn't tell whose server it is.
        let isKnown = state == .untrusted && isOperationsPortServed
        return port("public port", shown, isKnown ? .served : state, option: "--port")
    }

    /// Returns the result of the operations port; the server starts without an optional one.
    static func operationsPort(
        _ address: SocketAddress,
        _ state: PortState,
        isOptional: Bool
    ) -> Finding {
        let found = port("operations port", "\(address)", state, option: "--metrics-port")
        guard isOptional, found.status == .error else { return found }
        return .warning(found.check, found.message, do: found.remedy)
    }

    private static func port(
        _ check: String,
        _ shown: String,
        _ state: PortState,
        option: String
    ) -> Finding {
        let another = "Choose another with \(option), or stop the program that uses it."
        switch state {
        case .chosen: return .ok(check, "\(shown): the system chooses the port")
        case .free: return .ok(check, "\(shown) is free")
        case .served: return .ok(check, "\(shown) belongs to a server that runs already")
        case .untrusted:
            return .warning(
                check,
                "\(shown) is in use by a server whose certificate this system doesn't trust",
                do: "If it isn't this server, stop it, or choose another with \(option)."
            )
        case .same:
            return .error(
                check,
                "\(shown) is the public port, too",
                do: "Choose another with \(option)."
            )
        case .used: return .error(check, "\(shown) is in use", do: another)
        case .forbidden:
            return .error(
                check,
                "\(shown): Permission denied",
                do: shown.hasPrefix("unix:")
                    ? "Let the server's user write in the folder of the socket."
                    : "Choose a port from 1024 on, or let plugboard.socket open it."
            )
        case .unusable(let reason):
            return .error(
                check,
                "\(shown): \(reason)",
                do: "Correct --host, \(option) or --metrics-host."
            )
        }
    }

    /// Whether a second address would get the port of the first one.
    static func overlap(_ one: SocketAddress, _ other: SocketAddress) -> Bool {
        guard case .tcp(let host, let port) = one, case .tcp(let second, port) = other, port != 0
        else { return false }
        let wildcards = ["0.0.0.0", "::", ""]
        return host == second || wildcards.contains(host) || wildcards.contains(second)
    }
}
