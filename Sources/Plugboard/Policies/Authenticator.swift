public import PlugHTTP

/// A way to identify a request's caller by credentials of one kind.
///
/// ```swift
/// let apiKeys = Authenticator(.header("X-API-Key")) { key in
///     guard let owner = owners[key.text] else { throw Problem.unauthorized("the key is unknown") }
///     return Caller(id: owner.id, name: owner.name, scopes: owner.scopes)
/// }
/// let server = Server(authenticators: [apiKeys]) { DeletePhoto.self }
/// ```
/// The server asks its authenticators in their order, then checks its own tokens, JSON Web Tokens
/// and certificates. It asks only for actions that need or accept a caller, batches and requests
/// with an `Idempotency-Key`, and only if the request has credentials at the authenticator's place.
/// The closure's result decides:
///
/// | result | effect |
/// |---|---|
/// | a caller | its scopes, as extended by ``Server/impliedScopes``, decide about the action |
/// | nil | the credentials belong to another authenticator, which is asked next |
/// | a `Problem` below 500 | 401 with the problem's detail and the challenges |
/// | a `Problem` of 500 or above, or 429 | that response |
/// | another error | 503, since the credentials may be valid; the error is logged |
///
/// A synchronous closure runs on the request's loop, so it mustn't block. An asynchronous one may
/// look up a database. Then the server reads a body of the allowed size before it knows the caller.
public struct Authenticator: Sendable {
    /// The place of credentials in a request.
    public enum Place: Sendable, Hashable {
        /// The credentials of an authentication scheme in `Authorization` (RFC 9110 §11.6.2).
        case authorization(String)
        /// The value of a field, such as `X-API-Key`.
        case header(String)
        /// The value of a cookie (RFC 6265 §5.4).
        case cookie(String)

        /// A bearer token (RFC 6750 §2.1).
        public static let bearer = Place.authorization("Bearer")
    }

    /// The credentials that a request has at an authenticator's place.
    public struct Credential: Sendable {
        /// The token, the field's value or the cookie's value.
        public let text: String
        /// The request's head.
        public let request: ServerRequest
        /// Whether an open stream's caller is checked again, without a request.
        let isRecheck: Bool
    }

    /// The check of credentials.
    enum Check: Sendable {
        case now(@Sendable (Credential) throws -> Caller?)
        case later(@Sendable (Credential) async throws -> Caller?)
        /// The server verifies the tokens itself.
        case webTokens(WebTokens)
    }

    /// The place of its credentials in a request.
    public let place: Place
    /// The challenge in `WWW-Authenticate` of a 401 (RFC 9110 §11.6.1).
    public let challenge: String
    let check: Check

    private init(_ place: Place, _ challenge: String?, _ check: Check) {
        self.place = place
        self.challenge = challenge ?? place.challenge
        self.check = check
    }

    /// Creates an authenticator that answers on the request's loop.
    ///
    /// Without a `challenge` the place's own is sent, such as `Bearer realm="plugboard"`.
    public init(
        _ place: Place,
        challenge: String? = nil,
        identify: @escaping @Sendable (Credential) throws -> Caller?
    ) {
        self.init(place, challenge, .now(identify))
    }

    /// Creates an authenticator that may wait, such as for a database.
    ///
    /// Without a `challenge` the place's own is sent, such as `Bearer realm="plugboard"`.
    public init(
        _ place: Place,
        challenge: String? = nil,
        identify: @escaping @Sendable (Credential) async throws -> Caller?
    ) {
        self.init(place, challenge, .later(identify))
    }

    /// Creates an authenticator for the JSON Web Tokens of an issuer.
    ///
    /// Each issuer has one, beside that of ``Server/Configuration/webTokens``. A token's `iss` decides
    /// which of them verifies it.
    public static func webTokens(_ tokens: WebTokens) -> Authenticator {
        Authenticator(.bearer, nil, .webTokens(tokens))
    }

    /// Whether it may wait.
    var isLater: Bool { if case .later = check { true } else { false } }

    /// Whether the server asks it for callers; it verifies JSON Web Tokens with its own tokens.
    var isAsked: Bool { if case .webTokens = check { false } else { true } }
}
