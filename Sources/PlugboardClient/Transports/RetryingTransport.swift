public import HTTPTransport
public import HTTPTypes
import HTTPSyntax

/// A transport that repeats failed requests, if a repetition has no further effect.
///
/// ```swift
/// let transport = RetryingTransport(PlatformTransport())
/// ```
/// It repeats idempotent requests (RFC 9110 §9.2.2) and those with an `Idempotency-Key`, whose body
/// is in memory. Each further attempt waits for a random time within a limit that doubles. It starts
/// no attempt after the call's deadline (``Client/within(_:)``).
public struct RetryingTransport: Transport {
    /// The number of attempts and the waits between them.
    public struct Policy: Sendable {
        /// The maximum number of attempts.
        public var maximumAttempts = 3
        /// The waits between attempts.
        public var backoff = Backoff(first: .milliseconds(200), maximum: .seconds(10))
        /// The maximum `Retry-After` that is honoured; a longer one ends the attempts.
        public var maximumRetryAfter = Duration.seconds(60)
        /// Whether POST and PATCH requests without an `Idempotency-Key` get a new one.
        ///
        /// All attempts have the same key. Use it for servers that support such keys.
        public var makesIdempotencyKeys = false

        /// Creates the default policy.
        public init() {}
    }

    private let base: any Transport
    private let policy: Policy
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Creates a transport over another one.
    public init(_ base: any Transport, policy: Policy = Policy()) {
        self.init(base, policy: policy) { try await Task.sleep(for: $0) }
    }

    /// Creates a transport with its own clock.
    package init(
        _ base: any Transport,
        policy: Policy,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.base = base
        self.policy = policy
        self.sleep = sleep
    }

    /// Sends a request until it succeeds or no further attempt is allowed.
    public func send(
        _ request: HTTPRequest,
        body: [UInt8]
    ) async throws -> (HTTPResponse, [UInt8]) {
        try await repeating(request) { try await base.send($0, body: body) }
    }

    /// Sends a request until it succeeds or no further attempt is allowed.
    ///
    /// A body in pieces is sent once. A response that breaks off isn't repeated.
    public func stream(
        _ request: HTTPRequest,
        body: TransportBody
    ) async throws -> (HTTPResponse, BodyPieces) {
        guard case .bytes = body else { return try await base.stream(request, body: body) }
        return try await repeating(request) { try await base.stream($0, body: body) }
    }

    private func repeating<Body: Sendable>(
        _ request: HTTPRequest,
        _ send: (HTTPRequest) async throws -> (HTTPResponse, Body)
    ) async throws -> (HTTPResponse, Body) {
        var request = request
        if policy.makesIdempotencyKeys, !request.method.isIdempotent,
            !request.headerFields.contains(.idempotencyKey)
        {
            request.headerFields[.idempotencyKey] = IdempotencyKey.make()
        }
        let isRepeatable =
            request.method.isIdempotent || request.headerFields.contains(.idempotencyKey)
        var attempt = 0
        while true {
            let isLast = !isRepeatable || attempt + 1 >= policy.maximumAttempts
            let delay: Duration
            do {
                let (response, body) = try await send(request)
                guard !isLast, response.status.isTemporary else { return (response, body) }
                let least = response.retryAfter(at: Int64(WallClock.seconds)) ?? .zero
                guard least <= policy.maximumRetryAfter else { return (response, body) }
                delay = max(least, policy.backoff.delay(before: attempt))
                guard Self.canWait(delay) else { return (response, body) }
            } catch let error as ClientError where error.isBreak && !isLast {
                delay = policy.backoff.delay(before: attempt)
                guard Self.canWait(delay) else { throw error }
            }
            try await sleep(delay)
            attempt += 1
        }
    }
}

extension RetryingTransport {
    /// Returns whether the call's deadline leaves time for an attempt after a wait.
    fileprivate static func canWait(_ delay: Duration) -> Bool {
        CallDeadline.remaining.map { delay < $0 } ?? true
    }
}

extension HTTPRequest.Method {
    /// Whether a repetition has no further effect (RFC 9110 §9.2.2).
    var isIdempotent: Bool {
        [.get, .head, .put, .delete, .options, .trace].contains(self)
    }
}
