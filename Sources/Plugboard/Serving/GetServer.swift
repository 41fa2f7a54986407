import Glibc
import HTTPSyntax
package import JSONCodec
import Plug
import PlugHTTP

/// An option of a server and its source.
package struct OptionInForce: Codable, Sendable, Equatable {
    /// The option's name, such as `head-timeout`.
    package var name: String
    /// The value as in the options' file; a secret is masked.
    package var value: JSON
    /// The source: the command line's option, the variable, or the file with its key; nil for the
    /// default.
    package var source: String?

    /// Creates an option with its masked value.
    package init(name: String, value: JSON, source: String?) {
        self.name = name
        self.value = value
        self.source = source
    }
}

/// The state of a server.
package struct ServerReport: Codable, Sendable, Equatable {
    /// A readiness check.
    package struct Check: Codable, Sendable, Equatable {
        package var name: String
        /// The requests that need its dependency: `read` or `write`.
        package var use: ReadinessUse
        package var isPassing: Bool

        private enum CodingKeys: String, CodingKey { case name, use, isPassing = "passing" }
    }

    /// A store.
    package struct Store: Codable, Sendable, Equatable {
        /// `data` for the data folder, else `administration` or `documents`.
        package var name: String
        /// `SQLite`, `PostgreSQL` or `folder`.
        package var kind: String
        /// The reason for which it is unavailable or was emptied; nil if it is healthy.
        package var loss: String?
    }

    /// A certificate of the server.
    package struct Certificate: Codable, Sendable, Equatable {
        /// Its first host name; else its subject.
        package var name: String
        /// The time at which it or a certificate of its chain expires.
        package var expires: String
    }

    /// The version of Plugboard.
    package var version: String
    /// The environment whose documents are served.
    package var environment: String
    /// The start time, as `2026-11-22T08:00:00Z` (RFC 3339).
    package var started: String
    /// The time since the start in seconds.
    package var uptime: Int
    /// The readiness checks, sorted by name.
    package var checks: [Check]
    /// The stores.
    package var stores: [Store]
    /// The certificates; empty without TLS.
    package var certificates: [Certificate]
    /// The options in force, in the order of their documentation; empty for a server without a
    /// command.
    package var options: [OptionInForce]
}

/// Returns the server's version, health, stores, certificates and options.
package class GetServer: Action<Void, ServerReport>, GET, Scoped {
    package static var path: String { "/server" }
    package static var scopes: Scopes { .admin }
}

/// The parts of a server that its report shows.
struct ServerState: Sendable {
    /// The start in seconds since 1970.
    let started = time(nil)
    /// The start in nanoseconds on the monotonic clock.
    let began = RequestSubject.now()
    let environment: String
    let options: [OptionInForce]
    /// The readiness; nil for a server that isn't opened.
    var readiness: ReadinessState?
    /// Reads the states of the stores.
    var stores: @Sendable () -> [ServerReport.Store] = { [] }
    /// Reads the certificates.
    var certificates: @Sendable () -> [ServerReport.Certificate] = { [] }
}

extension ExposedAction {
    /// The action that describes a server.
    static func description(of server: ServerState) -> ExposedAction {
        ExposedAction(own: GetServer.self, .json(location: nil)) {
            ServerReport(
                version: Server.version,
                environment: server.environment,
                started: HTTPDate.timestamp(server.started),
                uptime: (RequestSubject.now() - server.began) / 1_000_000_000,
                checks: await server.readiness?.results() ?? [],
                stores: server.stores(),
                certificates: server.certificates(),
                options: server.options
            )
        }
    }
}
