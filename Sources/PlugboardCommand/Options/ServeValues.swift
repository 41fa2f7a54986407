import Plugboard
import Settings

/// The values of `serve`'s options.
///
/// Most options have their place in the server's configuration. The others are combined by their
/// section (``OptionSection/complete(_:_:)``).
struct ServeValues {
    var server: Server.Configuration
    var documents = Documents()
    var tls = TLS()
    var webTokens = WebTokens()
    var metrics = Metrics()
    var auditHead = AuditHead()
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

extension ServeValues {
    /// The places of documents, of which a server has at most one.
    struct Documents {
        var database: String?
        var folder: String?
    }

    /// The values for JSON Web Tokens, which need each other.
    struct WebTokens {
        var keys: String?
        var issuer: String?
        var audiences: [String] = []
    }

    /// The values for HTTPS, which need each other.
    struct TLS {
        /// Whether a client certificate is optional or mandatory.
        enum Demand: String, LosslessStringConvertible, SettingValue, CaseIterable {
            case request, require
        }

        var certificates: [String] = []
        var keys: [String] = []
        var clientAuthorities: String?
        var clientRevocations: String?
        var clientCertificates: Demand?
        var clientScopes: [String] = []
        var isDevelopment = false
        var transportSecurity = SecondsOrOff(
            seconds: Server.Configuration.TLS().transportSecurity
        )
    }

    /// The address of the operations port.
    struct Metrics {
        /// Nil for the default port if it is free.
        var port: MetricsPort?
        var host = Server.Configuration.Operations().host
    }

    /// The files of the audits' last rows, which belong together.
    struct AuditHead {
        var path: String?
        var key: String?
    }
}
