import ArgumentParser
import Plugboard

/// The options of `plugboard serve` that bound what clients may take of it.
struct Bounds: ParsableArguments {
    @Option(help: "The most connections at a time. (default: 16384)")
    var connections: Int?

    @Option(help: "The most connections of one address; an IPv6 /64 is one. (default: no bound)")
    var connectionsPerAddress: Int?

    @Option(help: "The largest request body in bytes; more is 413. (default: 1048576)")
    var bodyLimit: Int?

    @Option(help: "Bytes of request bodies held at a time; more is 503. (default: 67108864)")
    var bodyBudget: Int?

    @Option(
        help: ArgumentHelp(
            "Actions' answers of more bytes go gzip-coded to who takes that, or off. (default: 1024)",
            valueName: "bytes"
        )
    )
    var compressionThreshold: Threshold?

    @Option(help: "Seconds from a request's first byte to its head's end. (default: 10)")
    var headTimeout: Int?

    @Option(help: "Seconds without progress of a request's body. (default: 30)")
    var bodyTimeout: Int?

    @Option(help: "Seconds that a connection is kept without a request. (default: 30)")
    var idleTimeout: Int?

    @Option(help: "Seconds without a client's taking any of an answer. (default: 30)")
    var writeTimeout: Int?

    @Option(help: "Seconds for requests in flight when the server stops. (default: 30)")
    var drainTimeout: Int?

    func apply(to configuration: inout Server.Configuration) throws {
        func set(
            _ path: WritableKeyPath<Server.Configuration, Int>,
            _ option: Int?,
            _ name: String,
            _ range: ClosedRange<Int>
        ) throws {
            configuration[keyPath: path] = try Environment.resolve(
                option,
                name,
                in: range,
                default: configuration[keyPath: path]
            )
        }
        configuration.compressionThreshold = try Environment.resolve(
            compressionThreshold,
            "COMPRESSION_THRESHOLD",
            default: Threshold(bytes: configuration.compressionThreshold)
        ).bytes
        let sizes = 1...1 << 40
        let seconds = 1...86_400
        try set(\.connections, connections, "connections", 1...1_000_000)
        configuration.connectionsPerAddress = try Environment.resolve(
            connectionsPerAddress,
            "connections-per-address",
            in: 1...1_000_000
        )
        try set(\.bodyLimit, bodyLimit, "body-limit", sizes)
        try set(\.bodyBudget, bodyBudget, "body-budget", sizes)
        try set(\.headTimeout, headTimeout, "head-timeout", seconds)
        try set(\.bodyTimeout, bodyTimeout, "body-timeout", seconds)
        try set(\.idleTimeout, idleTimeout, "idle-timeout", seconds)
        try set(\.writeTimeout, writeTimeout, "write-timeout", seconds)
        try set(\.drainTimeout, drainTimeout, "drain-timeout", seconds)
    }
}

/// A number of bytes; `off` or 0 for none.
struct Threshold: ExpressibleByArgument, LosslessStringConvertible {
    let bytes: Int?

    init(bytes: Int?) { self.bytes = bytes }

    init?(_ text: String) {
        if text == "off" || text == "0" {
            bytes = nil
        } else {
            guard let number = Int(text), number > 0 else { return nil }
            bytes = number
        }
    }

    var description: String { bytes.map(String.init) ?? "off" }
}
