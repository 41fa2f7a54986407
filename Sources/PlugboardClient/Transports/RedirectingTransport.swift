public import HTTPTransport
public import HTTPTypes
import HTTPSyntax

/// A transport that follows redirects within its policy (RFC 9110 §15.4).
///
/// ```swift
/// let transport = RedirectingTransport(PlatformTransport(), policy: .sameOrigin)
/// ```
/// It never follows a redirect from https to http. A redirect that it doesn't follow is the
/// response.
public struct RedirectingTransport: Transport {
    /// The redirects that are followed.
    public struct Policy: Sendable {
        /// The maximum number of redirects of one request.
        public var maximum: Int
        /// Whether a redirect may lead to another origin, which gets no field that reveals the caller.
        public var allowsOtherOrigins: Bool

        /// Creates a policy.
        public init(maximum: Int, allowsOtherOrigins: Bool) {
            self.maximum = maximum
            self.allowsOtherOrigins = allowsOtherOrigins
        }

        /// Up to five redirects to the same scheme, host and port.
        public static let sameOrigin = Policy(maximum: 5, allowsOtherOrigins: false)
        /// Up to five redirects to any origin.
        public static let anyOrigin = Policy(maximum: 5, allowsOtherOrigins: true)
    }

    private let base: any Transport
    private let policy: Policy

    /// Creates a transport over another one.
    public init(_ base: any Transport, policy: Policy = .sameOrigin) {
        self.base = base
        self.policy = policy
    }

    /// Sends a request and returns the first response that isn't followed.
    public func send(
        _ request: HTTPRequest,
        body: [UInt8]
    ) async throws -> (HTTPResponse, [UInt8]) {
        try await following(request, body) { try await base.send($0, body: $1) }
    }

    /// Sends a request and returns the first response that isn't followed.
    ///
    /// A redirect of a request whose body is sent in pieces is followed only by a GET.
    public func stream(
        _ request: HTTPRequest,
        body: TransportBody
    ) async throws -> (HTTPResponse, BodyPieces) {
        guard case .bytes(let bytes) = body else {
            let (response, pieces) = try await base.stream(request, body: body)
            guard let next = try next(after: response, to: request), next.method == .get else {
                return (response, pieces)
            }
            return try await following(next, [], count: 1) {
                try await base.stream($0, body: .bytes($1))
            }
        }
        return try await following(request, bytes) { try await base.stream($0, body: .bytes($1)) }
    }

    private func following<Body: Sendable>(
        _ request: HTTPRequest,
        _ body: [UInt8],
        count: Int = 0,
        _ send: (HTTPRequest, [UInt8]) async throws -> (HTTPResponse, Body)
    ) async throws -> (HTTPResponse, Body) {
        var (request, body, count) = (request, body, count)
        while true {
            let (response, received) = try await send(request, body)
            guard let next = try next(after: response, to: request) else {
                return (response, received)
            }
            count += 1
            guard count <= policy.maximum else {
                throw ClientError(
                    .invalidResponse,
                    "The server sent more than \(policy.maximum) redirects"
                )
            }
            if next.method != request.method { body = [] }
            request = next
        }
    }

    /// Returns the request that follows a redirect; nil if the response isn't one to follow.
    private func next(
        after response: HTTPResponse,
        to request: HTTPRequest
    ) throws(ClientError) -> HTTPRequest? {
        guard [301, 302, 303, 307, 308].contains(response.status.code),
            let location = response.headerFields[.location]
        else { return nil }
        let place = RequestPlace(request)
        guard let target = place.resolve(location) else {
            throw ClientError(
                .invalidResponse,
                "The server redirects to an invalid URL: \(RedactedURL.text(location))"
            )
        }
        let isSame = target.hasOrigin(of: place)
        guard isSame || policy.allowsOtherOrigins,
            place.scheme != "https" || target.scheme == "https"
        else { return nil }
        var next = request
        (next.scheme, next.authority) = (target.scheme, target.authority)
        next.path = target.target
        if !isSame {
            next.headerFields = HTTPFields(
                next.headerFields.filter { Self.harmless.contains($0.name) }
            )
        }
        let keepsMethod = response.status.code >= 307 || request.method == .head
        // Browsers turn a POST into a GET, but no other method (RFC 9110 §15.4.2).
        if !keepsMethod, response.status.code == 303 || request.method == .post,
            request.method != .get
        {
            next.method = .get
            for name in [.contentType, .contentEncoding, .idempotencyKey] as [HTTPField.Name] {
                next.headerFields[name] = nil
            }
        }
        return next
    }

    /// The fields that another origin gets: they reveal nothing of the caller.
    private static let harmless: Set<HTTPField.Name> = [
        .accept, .acceptEncoding, .acceptLanguage, .contentType, .contentEncoding, .userAgent,
    ]
}
