/// The variables that Kubernetes and Docker define for each service in the environment of others.
///
/// A service named `plugboard` defines `PLUGBOARD_PORT=tcp://10.96.14.3:80`,
/// `PLUGBOARD_SERVICE_HOST`, `PLUGBOARD_PORT_80_TCP_ADDR` and more. They are no settings.
enum ServiceLink {
    /// The protocols of a service's ports.
    private static let protocols = ["TCP", "UDP", "SCTP"]

    /// Whether a variable has the form of these definitions.
    static func defines(_ name: String, _ value: String) -> Bool {
        if name.hasSuffix("_SERVICE_HOST") || name.hasSuffix("_SERVICE_PORT")
            || name.contains("_SERVICE_PORT_")
        {
            return true
        }
        if name.hasSuffix("_PORT"), isAddress(value) { return true }
        return isPort(name)
    }

    /// Whether a value is an address such as `tcp://10.96.14.3:80`.
    private static func isAddress(_ value: String) -> Bool {
        protocols.contains { value.hasPrefix("\($0.lowercased())://") }
    }

    /// Whether a name ends like `_PORT_80_TCP` or `_PORT_80_TCP_ADDR`.
    private static func isPort(_ name: String) -> Bool {
        var parts = name.split(separator: "_", omittingEmptySubsequences: false)[...]
        if let last = parts.last, ["PROTO", "PORT", "ADDR"].contains(last) { parts.removeLast() }
        guard let kind = parts.popLast(), protocols.contains(String(kind)),
            let number = parts.popLast(), UInt16(number) != nil
        else { return false }
        return parts.last == "PORT"
    }
}
