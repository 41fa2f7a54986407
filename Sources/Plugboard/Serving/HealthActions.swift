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

    /// Health with that status.
    public init(status: String = "ok") { self.status = status }
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
/// - One of its ``Server/readiness`` checks fails.
///
/// A plugged implementation replaces the server's own response.
open class Readiness: Action<Void, Health>, GET {
    /// Served at `GET /readyz`.
    public static var path: String { "/readyz" }
}
