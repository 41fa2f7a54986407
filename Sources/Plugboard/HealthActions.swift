import HTTPServer
import JSONCodec
import Locking
import Logging
public import Plug
public import PlugHTTP

/// How a server fares: `{"status":"ok"}`.
public struct Health: Codable, Sendable, Equatable {
    /// `ok`.
    public var status: String

    /// Health of that status.
    public init(status: String = "ok") { self.status = status }
}

/// Tells that the process lives.
///
/// Every server answers it, at `GET /healthz`. What is plugged to it takes the place of the server's
/// own answer, which is always `ok`.
open class Liveness: Action<Void, Health>, GET {
    /// Served at `GET /healthz`.
    public static var path: String { "/healthz" }
}

/// Tells whether the server wants requests.
///
/// Every server answers it, at `GET /readyz`: with 503 before its ``Server/preparation`` is done,
/// while it drains, and while one of its ``Server/readiness`` checks fails. What is plugged to it
/// takes the place of the server's own answer.
open class Readiness: Action<Void, Health>, GET {
    /// Served at `GET /readyz`.
    public static var path: String { "/readyz" }
}
