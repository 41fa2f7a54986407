import CLinux
import HTTPServer
public import PlugHTTP
public import Tracing

extension Server {
    /// Where and within which bounds a server serves.
    public struct Configuration: Sendable {
        /// A host name or an address; `unix:` and a path for a Unix domain socket.
        public var host: String
        /// The port; 0 lets the system choose one.
        public var port: UInt16
        /// What it takes to speak HTTPS; nil for plain HTTP.
        public var tls: TLS?
        /// A folder whose files are served; nil for none.
        public var publicFolder: String?
        /// The folder of what the server keeps: its tokens, its behavior documents, its plugs' plans and
        /// the answers of requests that are done once; nil for none.
        ///
        /// Its database is one file, `plugboard.sqlite`, which isn't made before something is
        /// written.
        public var dataFolder: String?
        /// Where the behavior documents are, and in a database the answers of requests that are done
        /// once; nil for the data folder.
        public var documents: DocumentPlace?
        /// The environment whose behavior documents are served, such as `staging`.
        public var environment = "production"
        /// The JSON Web Tokens that callers may bear beside the data folder's; nil for none.
        public var webTokens: WebTokens?
        /// Event loops, each with a thread of its own; one for each core by default.
        public var loops: Int
        /// The largest request body in bytes, as sent and inflated; more is answered with 413.
        public var bodyLimit = 1024 * 1024
        /// The largest body of an action that takes a ``RequestBody``, in bytes, as sent and inflated.
        public var streamLimit = 1024 * 1024 * 1024
        /// Actions' answers of more bytes are sent gzip-coded to clients that take that; nil for none.
        ///
        /// Answers over a MiB and those without their bytes at hand go as they are. The behavior
        /// document and the public files aren't concerned: they are compressed once, and kept. An
        /// answer that holds a secret beside what the client sent tells of it by its size (BREACH):
        /// turn it off where that is.
        public var compressionThreshold: Int? = 1024
        /// The bytes of request bodies held at a time, over all connections, each loop having its part;
        /// more is answered with 503.
        ///
        /// Of those that actions take piece by piece as many may wait to be taken before their clients
        /// have to wait, too, and twice as many before one that brings more is answered with 503.
        public var bodyBudget = 64 * 1024 * 1024
        /// The most connections at a time.
        public var connections = 16_384
        /// The most connections at a time of one address, an IPv6 /64 being one; nil for no bound.
        ///
        /// Behind a proxy all connections are the proxy's.
        public var connectionsPerAddress: Int?
        /// Seconds from a request's first byte to the end of its head.
        public var headTimeout = 10
        /// Seconds within which a request's body has to gain a KiB for each of them, or to end.
        public var bodyTimeout = 30
        /// Seconds that a connection is kept without a request.
        public var idleTimeout = 30
        /// Seconds in which a client has to take 1 KiB of an answer for each of them.
        public var writeTimeout = 30
        /// Whether a client's offer to go on in HTTP/2 is taken on a plain port (`Upgrade: h2c`).
        ///
        /// Behind a proxy that hands such offers on, whoever makes one is past the proxy's rules: its requests
        /// are then frames in a tunnel. Prior knowledge and TLS need no such offer.
        public var takesUpgrades = true
        /// Seconds that an action may take before it is answered with 504 and cancelled; nil for any.
        ///
        /// A request may ask for less in `Request-Timeout`, and for no more. The time runs while the
        /// answer is made, neither while the body is read nor while the answer is sent. An
        /// implementation that waits for nothing isn't timed.
        public var actionTimeout: Int?
        /// Whether all GET actions' answers have entity tags, and not only those of ``Tagged`` ones.
        ///
        /// Each such answer is hashed, which takes about a microsecond for a KiB.
        public var entityTags = true
        /// The most actions of a ``Batch``, `POST /actions`; nil to have none.
        public var batchLimit: Int? = 100
        /// The most bytes of all outputs of a ``Batch`` together.
        ///
        /// An action whose output goes beyond it answers 406; those after it aren't performed, and
        /// answer 503.
        public var batchOutputLimit = 1024 * 1024
        /// How often each caller, or each address, may call the actions, all of them together; nil for
        /// any.
        ///
        /// An action may have a limit of its own (``RateLimited``). Behind a proxy all addresses are
        /// the proxy's.
        public var rateLimit: RateLimit?
        /// Seconds that requests in flight have to complete when the server stops.
        public var drainTimeout = 30
        /// The port for those who operate the server; nil for none.
        public var operations: Operations?
        /// Which requests are logged; nil for none.
        public var accessLog: AccessLog?
        /// What makes a span of each request for an action; nil for what
        /// `InstrumentationSystem.bootstrap` has set up by the time the server starts, if anything.
        ///
        /// Parents come from `traceparent` and `tracestate` (W3C Trace Context), which are checked
        /// before the tracer reads them. A span's context is the task's while the action runs, so
        /// that the action's own spans and what a `Client` sends are parts of the same trace. Without
        /// any tracer a request's trace is passed on to other servers as it came.
        public var tracer: (any Tracer)?
        /// Whether each response says how long the server took to make it, in `Server-Timing` (W3C
        /// Server Timing): for debugging, since it tells strangers, too.
        public var serverTiming = false
        /// Whether sockets that systemd hands over (`LISTEN_FDS`) take the place of those that the server
        /// would open; one that is called `metrics` takes that of the operations port.
        public var takesSockets = false
        /// Whether SIGTERM and SIGINT drain the server, and SIGHUP has it read its certificates anew.
        ///
        /// False where a service group that the server runs in handles the first two; SIGHUP is then
        /// whatever the process makes of it.
        public var handlesSignals = true

        /// Bounds as documented, on 127.0.0.1:8080 unless said otherwise.
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

        /// Where the page of metrics and the probes answer, away from everybody's requests.
        public struct Operations: Sendable {
            /// A host name or an address; nobody else's, since the page is for everyone who can
            /// reach it.
            public var host = "127.0.0.1"
            /// The port; 0 lets the system choose one.
            public var port: UInt16 = 9464
            /// Whether the server starts without it where the port is taken.
            public var isOptional = false

            /// Port 9464 of this machine.
            public init() {}
        }

        private static var cores: Int {
            // `get_nprocs` and its kin count the machine's cores; what counts is how many this
            // process may use.
            max(1, Int(clinux_usable_cores()))
        }

        var address: SocketAddress {
            host.hasPrefix("unix:")
                ? .unix(path: String(host.dropFirst(5))) : .tcp(host: host, port: port)
        }

        var http: HTTPConfiguration {
            var http = HTTPConfiguration()
            http.headTimeout = Self.seconds(headTimeout)
            http.bodyTimeout = Self.seconds(bodyTimeout)
            http.idleTimeout = Self.seconds(idleTimeout)
            http.writeTimeout = Self.seconds(writeTimeout)
            http.bodyBudget = max(0, bodyBudget)
            http.drainTimeout = Self.seconds(drainTimeout)
            http.connections = max(1, connections)
            http.connectionsPerAddress = connectionsPerAddress.map { max(1, $0) }
            http.loops = max(1, loops)
            http.takesUpgrades = takesUpgrades
            return http
        }

        /// At least a second; a year is as good as never, and can be counted in milliseconds.
        private static func seconds(_ seconds: Int) -> Int { min(max(1, seconds), 365 * 86_400) }
    }
}
