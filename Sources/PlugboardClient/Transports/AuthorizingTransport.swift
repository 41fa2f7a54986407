public import HTTPTransport
public import HTTPTypes
import Locking

/// A transport that adds a bearer token to the requests of one origin, and refreshes it after a 401.
///
/// ```swift
/// let transport = AuthorizingTransport(
///     PlatformTransport(), for: "https://api.example.com", token: session.token
/// ) { expired in
///     try await login.send(RefreshToken.self, .init(token: session.refreshToken)).token
/// }
/// ```
/// Requests to another scheme, host or port pass unchanged. So the token never leaves its server,
/// also within a `RedirectingTransport`.
///
/// However many requests get a 401 at the same time, there is one refresh, and each request is
/// repeated once. After a failed refresh they throw its error and aren't repeated. The refresh
/// itself may use this transport: its own requests neither wait for it nor refresh the token.
public final class AuthorizingTransport: Transport {
    private struct State {
        var token: String?
        /// The number of refreshes that have ended.
        var count = 0
        /// The error of the last refresh; nil if it succeeded.
        var failure: (any Error)?
        /// The requests that wait for a running refresh; nil if none runs.
        var waiters: [Handoff<String>]?
    }

    @TaskLocal private static var isRefreshing = false

    private let base: any Transport
    /// The place whose origin gets the token.
    private let place: Result<RequestPlace, ClientError>
    private let refresh: @Sendable (_ expired: String?) async throws -> String
    private let state: Locked<State>

    /// Creates a transport over another one.
    ///
    /// `url` is one of the server that gets the token; only its scheme, host and port count. An
    /// invalid URL is an error of each request. `token` is the first token; with nil the first
    /// request refreshes it. `refresh` returns a new token in place of an expired one.
    public init(
        _ base: any Transport,
        for url: String,
        token: String?,
        refresh: @escaping @Sendable (_ expired: String?) async throws -> String
    ) {
        self.base = base
        self.refresh = refresh
        do throws(ClientError) {
            place = .success(RequestPlace(try BaseURL(url)))
        } catch {
            place = .failure(error)
        }
        state = Locked(State(token: token))
    }

    /// Sends a request with the token, and once more after a refresh if the response is a 401.
    public func send(
        _ request: HTTPRequest,
        body: [UInt8]
    ) async throws -> (HTTPResponse, [UInt8]) {
        try await authorized(request, isRepeatable: true) { try await base.send($0, body: body) }
    }

    /// Sends a request with the token, and once more after a refresh if the response is a 401.
    ///
    /// A body in pieces is sent once: the refreshed token is that of the next request.
    public func stream(
        _ request: HTTPRequest,
        body: TransportBody
    ) async throws -> (HTTPResponse, BodyPieces) {
        let isRepeatable = if case .bytes = body { true } else { false }
        return try await authorized(request, isRepeatable: isRepeatable) {
            try await base.stream($0, body: body)
        }
    }

    private func authorized<Body: Sendable>(
        _ request: HTTPRequest,
        isRepeatable: Bool,
        _ send: (HTTPRequest) async throws -> (HTTPResponse, Body)
    ) async throws -> (HTTPResponse, Body) {
        guard RequestPlace(request).hasOrigin(of: try place.get()) else {
            return try await send(request)
        }
        var (token, count) = state.withLock { ($0.token, $0.count) }
        if Self.isRefreshing {
            return try await send(Self.adding(token, to: request))
        }
        if token == nil {
            token = try await refreshed(after: count)
            count = state.withLock { $0.count }
        }
        let (response, body) = try await send(Self.adding(token, to: request))
        guard response.status == .unauthorized else { return (response, body) }
        let next = try await refreshed(after: count)
        guard isRepeatable else { return (response, body) }
        return try await send(Self.adding(next, to: request))
    }

    private static func adding(
        _ token: String?,
        to request: HTTPRequest
    ) throws(ClientError) -> HTTPRequest {
        guard let token else { return request }
        var request = request
        request.headerFields[.authorization] = "Bearer \(try SentToken(token).text)"
        return request
    }

    /// Returns the token of a refresh that ends after so many others.
    private func refreshed(after count: Int) async throws -> String {
        let handoff = Handoff<String>()
        return try await handoff.wait {
            let (result, isFirst) = state.withLock { state -> (Result<String, any Error>?, Bool) in
                if state.count > count, state.waiters == nil {
                    if let failure = state.failure { return (.failure(failure), false) }
                    return (state.token.map { .success($0) }, false)
                }
                let isFirst = state.waiters == nil
                state.waiters = (state.waiters ?? []) + [handoff]
                return (nil, isFirst)
            }
            if let result { handoff.end(result) }
            if isFirst { Task { await self.runRefresh() } }
        }
    }

    private func runRefresh() async {
        let expired = state.withLock { $0.token }
        let result: Result<String, any Error>
        do {
            result = .success(
                try await Self.$isRefreshing.withValue(true) { try await refresh(expired) }
            )
        } catch {
            result = .failure(error)
        }
        let waiters = state.withLock { state in
            switch result {
            case .success(let token): (state.token, state.failure) = (token, nil)
            case .failure(let error): state.failure = error
            }
            state.count += 1
            defer { state.waiters = nil }
            return state.waiters ?? []
        }
        for waiter in waiters { waiter.end(result) }
    }
}
