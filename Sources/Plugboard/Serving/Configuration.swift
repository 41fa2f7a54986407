import BehaviorStore
import CLinux
package import HTTPServer
import HTTPSyntax
import System
public import PlugHTTP
public import Tracing

extension Server {
    /// The addresses, limits and features of a server.
    ///
    /// Times are a second to a year, and sizes at most 1 PiB. The server uses the nearest valid
    /// value instead of an invalid one.
    public struct Configuration: Sendable {
        /// A host name or an address; `unix:` and a path for a Unix domain socket.
        public var host: String
        /// The port; 0 lets the system choose one.
        public var port: UInt16
        /// The permissions of a Unix domain socket's file; by default its owner and group can connect.
        public var socketMode: UInt16 = 0o660
        /// The certificates and settings for HTTPS; nil for plain HTTP.
        public var tls: TLS?
        /// The hosts of the requests that are served, such as `app.example`; `*` for any host.
        ///
        /// Other requests are rejected with 421. Case, port and a trailing dot don't count.
        ///
        /// - On a loopback address `localhost`, `127.0.0.1` and `[::1]` are always allowed.
        /// - On other addresses any host is allowed if the list is empty.
        /// - On a Unix socket any host is allowed.
        ///
        /// The list also applies to the operations port. It defends against DNS rebinding.
        public var allowedHosts: [String] = []
        /// The other origins whose web pages may use this server, such as `https://app.example`; `*`
        /// for all.
        ///
        /// Requests of other origins' pages with an unsafe method are rejected with 403.
        /// ``Middleware/cors(methods:fields:exposed:credentials:maxAge:)`` allows the listed origins
        /// to read responses. Behind a proxy that terminates TLS, list the server's own `https` origin
        /// for browsers that send no `Sec-Fetch-Site`.
        public var allowedOrigins: [String] = []
        /// The proxies whose `Forwarded` and `X-Forwarded-For` name the clients: networks such as
        /// `10.0.0.0/8`, addresses, or `unix` for all Unix sockets.
        ///
        /// The client's address is used for limits, logs and the audit. Both fields are read from the
        /// last entry on, past trusted proxies. The proxy must remove the field that it doesn't write.
        /// The list doesn't apply to the operations port.
        public var trustedProxies: [String] = []
        /// Whether the connections of ``trustedProxies`` begin with the PROXY protocol, version 1 or
        /// 2, which names the client.
        ///
        /// Other clients connect without it. It doesn't apply to the operations port.
        public var proxyProtocol = false
        package var remedies = RejectionRemedies()
        /// The options of a command in force, with masked secrets.
        package var optionsInForce: [OptionInForce] = []
        /// The file of a command's options, which may have secrets; nil for none.
        package var optionsFile: String?
        /// A folder whose files are served; nil for none.
        public var publicFolder: String?
        /// The folder of the server's own data; nil for none.
        ///
        /// It stores tokens, behavior documents, the plans of plugs, and the responses to requests
        /// with an `Idempotency-Key`. Its database is one file, `plugboard.sqlite`, which is
        /// created at the first write. The server doesn't use it if ``documents`` is a database.
        public var dataFolder: String?
        /// The store of behavior documents; nil for the data folder.
        ///
        /// A database has everything in place of the data folder: tokens, plugs, the audit, and the
        /// responses to requests with an `Idempotency-Key`, too.
        public var documents: DocumentStore?
        /// Whether the server creates and changes the tables of a PostgreSQL database.
        ///
        /// Otherwise the command `migrate` does. Until then changes are 503.
        public var migratesDatabase = true
        /// The environment whose behavior documents are served, such as `staging`.
        public var environment = "production"
        /// The file that gets the audits' last rows after each change; nil for none.
        public var auditHead: AuditHead?
        /// The JSON Web Tokens that are accepted besides the server's own tokens; nil for none.
        public var webTokens: WebTokens?
        /// The number of event loops, each with its own thread; by default one per core.
        public var loops: Int
        /// The largest request body in bytes, as sent and inflated; larger ones are rejected with
        /// 413.
        public var bodyLimit = 1024 * 1024
        /// The largest body of an action that takes a `RequestBody`, in bytes, as sent and inflated.
        public var streamLimit = 1024 * 1024 * 1024
        /// The response size in bytes above which actions' responses are compressed; nil for no
        /// compression.
        ///
        /// Responses over 1 MiB and streamed ones are sent as they are. Behavior documents and
        /// public files are compressed once and cached, whatever this says. Turn it off if a
        /// response contains both a secret and input of the client: its compressed size reveals the
        /// secret (BREACH).
        public var compressionThreshold: Int? = 1024
        /// The memory for request bodies in bytes, over all connections.
        ///
        /// Each loop has an equal part. At the limit requests are rejected with 503.
        ///
        /// Streamed bodies have the same limit for bytes that wait for their actions. At the limit
        /// reading pauses; at twice the limit requests are rejected with 503.
        ///
        /// The default is 64 MiB, or a quarter of the memory limit of the process's control group
        /// if that is less.
        public var bodyBudget = MemoryBudget.standard(64 << 20)
        /// The largest number of connections.
        ///
        /// Beyond it each loop accepts eight more for the health probes. Their other requests are
        /// rejected with 503.
        public var connections = 16_384
        /// The largest number of connections per address; nil for no limit.
        ///
        /// An IPv6 /64 counts as one address. Connections from this machine, over Unix sockets and of
        /// ``trustedProxies`` have no limit.
        ///
        /// The default is a sixteenth of that of ``connections``: one address can't take them all, and the
        /// users of a carrier's shared address have enough.
        public var connectionsPerAddress: Int? = 1024
        /// Seconds from a request's first byte to the end of its head.
        public var headTimeout = 10
        /// Seconds in which a request body must end or gain 1 KiB for each of them.
        public var bodyTimeout = 30
        /// Seconds that an idle connection stays open.
        public var idleTimeout = 30
        /// Seconds in which a client must read 1 KiB of a response for each of them; in HTTP/2, 1 KiB
        /// of each blocked response.
        public var writeTimeout = 30
        /// Whether the server accepts an upgrade to HTTP/2 on a plain port (`Upgrade: h2c`).
        ///
        /// Behind a proxy that forwards the upgrade, a client can bypass the proxy's rules: its
        /// later requests are frames in a tunnel. HTTP/2 with prior knowledge and over TLS needs no
        /// upgrade.
        public var acceptsUpgrades = true
        /// Seconds that an action may take before it is cancelled with 504; nil for no limit.
        ///
        /// Actions that read their body as a stream have no limit; nor have streamed responses.
        ///
        /// A request may lower its limit in `Request-Timeout`. The time covers the action only: not
        /// reading the body, and not sending the response. A synchronous implementation has no
        /// timeout.
        public var actionTimeout: Int? = 30
        /// The largest number of endless streams, such as server-sent events; nil for half of
        /// ``connections``.
        ///
        /// More are rejected with 503.
        public var endlessStreams: Int?
        /// The largest number of endless streams per caller, or else per address.
        ///
        /// More are rejected with 429. Unknown callers on this machine have no such limit.
        public var endlessStreamsPerCaller = 100
        /// Whether the responses of all GET actions have entity tags, not only `HasEntityTag`'s.
        ///
        /// Each such response is hashed, which takes about 1 µs per KiB.
        public var entityTags = true
        /// The largest number of items in a ``Batch``, `POST /actions`; nil to disable batches.
        public var batchLimit: Int? = 100
        /// The most bytes of all outputs of a ``Batch`` together.
        ///
        /// The item whose output exceeds the limit gets 406. Later items aren't performed and get
        /// 503.
        public var batchOutputLimit = 1024 * 1024
        /// The rate limit of all actions together, per caller or else per address; nil for none.
        ///
        /// An action may have a limit of its own (`RateLimited`). Without ``trustedProxies``, all
        /// requests of a proxy have its address.
        public var rateLimit: RateLimit?
        /// Whether servers with one database count the calls of limited actions together.
        ///
        /// ``documents`` must be a PostgreSQL database. Each call of a limited action waits for one
        /// statement. While the database is unavailable or takes longer than a quarter of a second,
        /// each server counts alone.
        public var sharesRateLimits = false
        /// The time that a call waits for the shared count.
        package var rateLimitPatience = Duration.milliseconds(250)
        /// Seconds that requests in flight have to complete when the server stops.
        public var drainTimeout = 30
        /// Seconds between a signal to stop and the end of accepting connections.
        ///
        /// Meanwhile `/readyz` is 503 and all requests are served, so that a balancer whose checks
        /// see it sends no more. A second signal ends the delay.
        public var drainDelay = 0
        /// The port of administration: tokens, plugs, behaviors and the audit.
        public var administration = Exposure.public
        /// Whether the port of the administration has the console at `/console/`.
        ///
        /// A server that authenticates no callers has none.
        public var console = true
        /// The port of `/docs` and `/openapi.json`.
        public var documentation = Exposure.public
        /// The port of ``Batch``, `POST /actions`.
        public var batches = Exposure.public
        /// The most documents of each environment.
        ///
        /// More are rejected with 422.
        public var documentLimit = 1_000
        /// The most drafts of each environment that can still go live.
        ///
        /// More are rejected with 422.
        public var draftLimit = 1_000
        /// The port for metrics and probes; nil for none.
        public var operations: Operations?
        /// The access log; nil for none.
        public var accessLog: AccessLog?
        /// The tracer that makes a span for each request of an action.
        ///
        /// Nil for the one that `InstrumentationSystem.bootstrap` has set when the server starts,
        /// if any.
        ///
        /// Parents come from `traceparent` and `tracestate` (W3C Trace Context), which the server
        /// validates first. While the action runs, the span's context is the task's. So the
        /// action's own spans and the requests of a `Client` are in the same trace. Without a
        /// tracer, the server forwards a request's trace context unchanged.
        public var tracer: (any Tracer)?
        /// Whether responses have `Server-Timing` (W3C Server Timing), the time that the server
        /// took.
        ///
        /// For debugging: all clients can see it.
        public var serverTiming = false
        /// Whether the server uses sockets from systemd (`LISTEN_FDS`) instead of opening its own.
        ///
        /// A socket named `metrics` is the operations port.
        public var acceptsSystemdSockets = false
        /// Whether SIGTERM and SIGINT drain the server, SIGHUP makes it reload its certificates, and
        /// SIGUSR1 makes it print a link to sign in to the console.
        ///
        /// Set it to false in a service group that handles SIGTERM and SIGINT. The process then
        /// handles SIGHUP, too.
        public var handlesSignals = true

        /// The default limits, on 127.0.0.1:8080 unless given otherwise.
        public init(
            host: String = "127.0.0.1",
            port: UInt16 = 8080,
            publicFolder: String? = nil,
            loops: Int? = nil
        ) {
            self.host = host
            self.port = port
            self.publicFolder = publicFolder
            self.loops = loops ?? Self.cores
        }

        /// The address of the operations port, which serves metrics and probes.
        public struct Operations: Sendable {
            /// A host name or an address.
            ///
            /// It should be private: everyone who can reach it can read the metrics.
            public var host = "127.0.0.1"
            /// The port; 0 lets the system choose one.
            public var port: UInt16 = 9464
            /// Whether the server starts without it if the port is in use.
            public var isOptional = false

            /// Port 9464 on 127.0.0.1.
            public init() {}
        }

        private static var cores: Int {
            // `get_nprocs` counts the machine's cores; this process may be allowed fewer.
            max(1, Int(clinux_usable_cores()))
        }

        package var address: SocketAddress {
            host.hasPrefix("unix:")
                ? .unix(path: String(host.dropFirst(5))) : .tcp(host: host, port: port)
        }

        var quotas: DocumentQuotas {
            var quotas = DocumentQuotas()
            quotas.documents = max(1, documentLimit)
            quotas.drafts = max(1, draftLimit)
            return quotas
        }

        /// Seconds that an action may take; nil for no limit.
        var actionSeconds: Int? { actionTimeout.map(Self.seconds) }

        /// The largest collected body in bytes.
        var bodyBytes: Int { Self.bytes(bodyLimit) }

        /// The largest streamed body in bytes.
        var streamBytes: Int { Self.bytes(streamLimit) }

        var streamLimiter: StreamLimiter {
            let limit = max(1, endlessStreams ?? connections / 2)
            return StreamLimiter(limit: limit, perCaller: max(1, endlessStreamsPerCaller))
        }

        package var http: HTTPConfiguration {
            var http = HTTPConfiguration()
            http.headTimeout = Self.seconds(headTimeout)
            http.bodyTimeout = Self.seconds(bodyTimeout)
            http.idleTimeout = Self.seconds(idleTimeout)
            http.writeTimeout = Self.seconds(writeTimeout)
            http.bodyBudget = Self.bytes(bodyBudget)
            http.outputBudget = MemoryBudget.standard(http.outputBudget)
            http.drainTimeout = Self.seconds(drainTimeout)
            http.connections = max(1, connections)
            http.connectionsPerAddress = connectionsPerAddress.map { max(1, $0) }
            http.trustedProxies = TrustedProxies(trustedProxies)
            http.readsProxyHeaders = proxyProtocol
            http.loops = min(max(1, loops), Self.maximumLoops)
            http.acceptsUpgrades = acceptsUpgrades
            http.reservedConnections = Self.reservedConnections
            http.socketMode = UInt32(socketMode) & 0o777
            http.defaultFields = DefaultFields(transportSecurity: tls?.sentTransportSecurity)
            return http
        }

        /// The connections of each loop that are reserved for the health probes.
        private static let reservedConnections = 8

        /// The maximum number of loops.
        package static let maximumLoops = 256

        /// Clamped to between zero and 1 PiB, so that no sum of two sizes overflows.
        private static func bytes(_ size: Int) -> Int { min(max(0, size), 1 << 50) }

        /// Clamped to between a second and a year, which fits in milliseconds.
        private static func seconds(_ seconds: Int) -> Int { min(max(1, seconds), 365 * 86_400) }
    }
}
