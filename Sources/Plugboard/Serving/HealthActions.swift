import HTTPServer
import JSONCodec
import Locking
import Logging
public import Plug
public import PlugHTTP

/// The health of a server: `{"status":"ok"}`.
public struct Health: Codable, Sendable, Equatable {
    /// `ok`.
    public var status: String
    /// The names of the failing checks that only writes need; nil for none.
    public var unavailable: [String]?

    /// Health with that status.
    public init(status: String = "ok", unavailable: [String]? = nil) {
        self.status = status
        self.unavailable = unavailable
    }
}

/// The requests that a server can or can't serve.
public enum ReadinessUse: String, Codable, Sendable, CaseIterable {
    /// Reads; if a check of this kind fails, `/readyz` is 503.
    case read
    /// Writes; if a check of this kind fails, `/readyz?for=write` is 503.
    case write
}

/// The input of ``Readiness``.
public struct ReadinessQuery: Codable, Sendable, Equatable {
    /// The requests that the server must be able to serve; nil for `read`.
    public var `for`: ReadinessUse?

    /// Asks for that use.
    public init(for use: ReadinessUse? = nil) { `for` = use }
}

/// The liveness probe.
///
/// Every server has it at `GET /healthz`, and responds with `ok`. A plugged implementation replaces
/// that response.
open class Liveness: Action<Void, Health>, GET {
    /// Served at `GET /healthz`.
    public static var path: String { "/healthz" }
}

/// The readiness probe.
///
/// Every server has it at `GET /readyz`. It responds with 503 in these cases:
///
/// - The server's ``Server/preparation`` isn't done.
/// - The server drains.
/// - One of its ``Server/readiness`` checks for reads fails.
/// - The query is `for=write`, and any check fails.
///
/// A server whose store is unavailable can serve what is live, so a balancer keeps it.
/// ``Health/unavailable`` then names the store. Unknown members of the query are ignored.
///
/// A plugged implementation replaces the server's own response.
open class Readiness: Action<ReadinessQuery, Health>, GET, IgnoresUnknownMembers {
    /// Served at `GET /readyz`.
    public static var path: String { "/readyz" }
}
