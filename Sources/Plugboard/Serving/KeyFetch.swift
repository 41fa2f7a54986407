import HTTPSyntax
import HTTPTransport
import HTTPTypes
import Identity
import PlugHTTP

/// Fetches an issuer's keys from a URL.
///
/// An attacker who can impersonate the issuer can forge tokens. So plain HTTP is allowed from this
/// machine only, and redirects aren't followed.
struct KeyFetch: Sendable {
    private typealias Unusable = Server.Configuration.WebTokens.Unusable

    /// The URL in a form that is safe to show.
    private let shown: String
    private let request: HTTPRequest
    private let transport: SocketTransport

    /// Validates the URL; throws its error.
    ///
    /// It trusts the system's certificate authorities, and those in the PEM file, if given.
    init(_ url: String, authorities: String? = nil) throws {
        let shown = RedactedURL.text(url)
        func unusable(_ reason: String) -> Unusable { Unusable("\(shown): \(reason)") }
        // Anywhere in the URL: the text before an @ may be a part of a password.
        guard !url.contains("@") else {
            throw unusable(
                "keys are fetched without a name and a password; an @ of its path is %40"
            )
        }
        guard let colon = url.firstRange(of: "://") else { throw unusable("it isn't a URL") }
        let scheme = url[..<colon.lowerBound].lowercased()
        let rest = url[colon.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let isSecure = scheme == "https"
        guard isSecure || scheme == "http",
            let authority = HostAndPort(String(rest[..<end]), defaultPort: isSecure ? 443 : 80)
        else { throw unusable("it isn't an https URL with a host") }
        let isHere = ["localhost", "127.0.0.1", "::1"].contains(authority.host.lowercased())
        guard isSecure || isHere else {
            throw unusable("keys are fetched by https, or from this machine")
        }
        let target = rest[end...]
        guard target.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") })
        else { throw unusable("its path must be percent-encoded, without a fragment") }
        self.shown = shown
        request = HTTPRequest(
            method: .get,
            scheme: scheme,
            authority: String(rest[..<end]),
            path: target.hasPrefix("/") ? String(target) : "/" + target,
            headerFields: [.accept: "application/jwk-set+json, application/json"]
        )
        var limits = SocketTransport.Limits()
        limits.timeout = .seconds(10)
        limits.maximumResponse = KeySet.maximumSize
        limits.maximumConcurrency = 1
        limits.maximumIdle = 0
        transport = SocketTransport(limits: limits, authorities: authorities)
    }

    /// Fetches the keys.
    @Sendable func fetch() async throws -> KeySource.Fetched {
        let (response, body) = try await transport.send(request, body: [])
        guard response.status == .ok else {
            throw Unusable("\(shown): the response was \(response.status.code)")
        }
        return KeySource.Fetched(body, maxAge: Self.maxAge(response.headerFields[.cacheControl]))
    }

    /// The seconds for which a response is fresh (RFC 9111 §5.2.2); nil if it doesn't say.
    static func maxAge(_ field: String?) -> Int? {
        let caching = CacheControl(field)
        return caching.forbidsStoring || caching.needsValidation ? 0 : caching.maxAge
    }
}
