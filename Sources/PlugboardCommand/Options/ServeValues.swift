import Plugboard

/// The values of `serve`'s options.
///
/// Most options have their place in the server's configuration. The others are combined by their
/// section (``OptionSection/complete(_:_:)``).
struct ServeValues {
    var server: Server.Configuration
    var documents = GeneralOptions.Documents()
    var tls = TLSOptions.Values()
    var webTokens = CallerOptions.Values()
    var metrics = OperationsOptions.Metrics()
    var audit = OperationsOptions.Audit()
    var logs = Logs()
    /// The rate limit of `--rate-limit`; nil for the server's own.
    var callsPerMinute: Int?

    /// The values of a server without options: the folders `public` and `data`.
    static let standard: ServeValues = {
        var server = Server.Configuration()
        server.publicFolder = "public"
        server.dataFolder = "data"
        return ServeValues(server: server)
    }()
}
