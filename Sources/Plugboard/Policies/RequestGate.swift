import HTTPServer
import HTTPSyntax

/// One loop's checks of every request before all others: its host and its origin.
final class RequestGate {
    private let hosts: HostCheck
    private let origins: AllowedOrigins
    private let remedies: RejectionRemedies

    init(_ hosts: AllowedHosts, _ origins: AllowedOrigins, _ remedies: RejectionRemedies) {
        self.hosts = HostCheck(hosts)
        self.origins = origins
        self.remedies = remedies
    }

    /// Returns the response to a request that is rejected; nil if it passes.
    ///
    /// Only clients on this machine with permission for its file can use a Unix socket, and no
    /// browser does.
    @inline(__always)
    func refusal(_ request: borrowing IncomingRequest) -> Response? {
        if request.peer.isReserved, !Self.isProbe(request.head) { return Self.full }
        if !request.peer.isLocal, !hosts.allows(request.head.authority),
            // Orchestrators send an address of their own as the host. A probe's response is public.
            !Self.isProbe(request.head)
        {
            return misdirected(request.head.authority)
        }
        return origins.allows(request.head) ? nil : foreign
    }

    /// Whether a request is a health probe, which reserved connections and all hosts may send.
    private static func isProbe(_ head: RequestHead) -> Bool {
        head.path.equals("/healthz") || head.path.equals("/readyz")
    }

    /// RFC 9110 §15.6.4.
    private static var full: Response {
        ProblemResponse.make(
            503,
            "the server has its limit of connections: retry in 1 s",
            fields: [("Retry-After", "1")]
        )
    }

    /// RFC 9110 §15.5.20.
    @inline(never)
    private func misdirected(_ authority: ByteSpan) -> Response {
        ProblemResponse.make(
            421,
            "\(Authority.host(of: authority).text) is not a host of this server. \(remedies.host)"
        )
    }

    private var foreign: Response {
        ProblemResponse.make(
            403,
            "a web page of another origin sent this request. \(remedies.origin)"
        )
    }
}

/// The sentences that say how to allow a rejected request, and how to mend the configuration.
///
/// A command adds its options' names.
package struct RejectionRemedies: Sendable {
    /// The remedy for a host that isn't allowed.
    package var host = "Add it to configuration.allowedHosts."
    /// The remedy for an origin that isn't allowed.
    package var origin = "Add its origin to configuration.allowedOrigins."
    /// The name of the public folder's setting.
    package var publicFolder = "configuration.publicFolder"
}
