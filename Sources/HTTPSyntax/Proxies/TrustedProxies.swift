/// The proxies whose `Forwarded` and `X-Forwarded-For` name the client.
package struct TrustedProxies: Sendable, Equatable {
    /// The most trusted proxies between the client and the server.
    static let limit = 32
    /// The name of all proxies that connect over a Unix socket.
    package static let unix = "unix"

    private var networks: [IPNetwork] = []
    private var includesUnixSockets = false

    /// No proxies.
    package init() {}

    /// The proxies in these networks; invalid ones are ignored (``problems(_:)``).
    ///
    /// - Parameter names: networks in CIDR notation, addresses, or `unix`.
    package init(_ names: [String]) {
        networks = names.compactMap { try? IPNetwork(parsing: $0) }
        includesUnixSockets = names.contains(Self.unix)
    }

    /// The start-up errors for names of proxies, one sentence each.
    package static func problems(_ names: [String]) -> [String] {
        names.compactMap { name in
            guard name != unix else { return nil }
            do throws(IPNetwork.SyntaxError) {
                _ = try IPNetwork(parsing: name)
                return nil
            } catch {
                let other = name.contains("/") ? "" : ", an address, or unix for Unix sockets"
                return "the trusted proxy \"\(name)\" \(error.reason)\(other)"
            }
        }
    }

    package var isEmpty: Bool { networks.isEmpty && !includesUnixSockets }

    /// Whether a connection from this address is a trusted proxy's; nil is a Unix socket.
    package func contains(_ address: IPAddress?) -> Bool {
        guard let address else { return includesUnixSockets }
        return contains(address)
    }

    package func contains(_ address: IPAddress) -> Bool {
        for network in networks where network.contains(address) { return true }
        return false
    }
}

extension TrustedProxies {
    /// The client of a request that a trusted proxy sent.
    ///
    /// - The entries are read from the last one. Trusted proxies are skipped; the first other address
    ///   is the client's.
    /// - If all are trusted, the first proxy of the chain is the client.
    /// - If an entry hides its client, the proxy that wrote it is the client.
    /// - Without such a field, `peer` is the client.
    ///
    /// - Parameters:
    ///   - head: The request's head.
    ///   - peer: The trusted proxy's address; nil on a Unix socket.
    /// - Returns: The client's address; nil for a Unix socket's proxy that is the client itself.
    /// - Throws: 400 if an entry that a trusted proxy wrote is invalid, or if both fields lead to
    ///   different clients. A proxy passes on the field that it doesn't write, so a client may have
    ///   forged it.
    package func client(
        of head: RequestHead,
        from peer: IPAddress?
    ) throws(ProtocolError) -> IPAddress? {
        let forwarded = try client(in: head, .forwarded, peer)
        let listed = try client(in: head, .members, peer)
        guard let forwarded else { return listed ?? peer }
        if let listed, forwarded != listed { throw .contradictingProxies }
        return forwarded
    }

    /// The client that a field leads to; nil if the head hasn't the field or it has no entries.
    ///
    /// The value in it is nil for a Unix socket.
    private func client(
        in head: RequestHead,
        _ field: ForwardedField,
        _ peer: IPAddress?
    ) throws(ProtocolError) -> IPAddress?? {
        var result: IPAddress?? = .none
        var proxies = 0
        for index in head.fields.indices.reversed() {
            guard head.fields[index].name.equals(lowercase: field.name) else { continue }
            let line = try ForwardedLine(head.fields[index].value, of: field, self)
            proxies += line.proxies
            guard proxies <= Self.limit else { throw .tooManyProxies }
            if let proxy = line.proxy { result = .some(proxy) }
            switch line.client {
            case nil: continue
            case .address(let address): return .some(address)
            case .hidden: return result ?? .some(peer)
            case .invalid: throw .badForwarded
            }
        }
        return result
    }
}

extension ProtocolError {
    static let badForwarded = ProtocolError.bad(
        "the proxy's Forwarded or X-Forwarded-For has an invalid entry"
    )
    static let contradictingProxies = ProtocolError.bad(
        "Forwarded and X-Forwarded-For name different clients: the proxy must remove the one that it doesn't write"
    )
    static let tooManyProxies = ProtocolError.bad(
        "Forwarded or X-Forwarded-For has too many proxies"
    )
}
