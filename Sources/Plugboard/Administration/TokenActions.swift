import HTTPSyntax
package import Identity
public import Plug
public import PlugHTTP
import AdministrationStore

/// A bearer token's properties, without the token itself.
public struct TokenInfo: Codable, Sendable, Equatable {
    /// The token's number, which isn't secret.
    public var id: String
    /// The name of the token's owner.
    public var name: String
    /// The token's scopes.
    public var scopes: [String]
    /// The time of its creation, as `2026-11-22T08:00:00Z` (RFC 3339).
    public var created: String
    /// The time of its expiry; nil if it never expires.
    public var expires: String?
    /// The time of its last use, to the minute; nil if it was never used.
    public var used: String?

    /// Returns the properties of a stored token.
    package init(_ record: TokenRecord) {
        id = record.id
        name = record.name
        scopes = record.scopes.names
        created = HTTPDate.timestamp(record.created)
        expires = record.expires.map(HTTPDate.timestamp)
        used = record.used.map(HTTPDate.timestamp)
    }
}

/// Lists the server's bearer tokens.
open class ListTokens: Action<Void, [TokenInfo]>, GET, Scoped {
    /// Served at `GET /tokens`.
    public static var path: String { "/tokens" }
    /// Only for administrators.
    public static var scopes: Scopes { .admin }
}

/// Creates a bearer token and returns it once.
open class CreateToken: Action<CreateToken.Input, CreateToken.Output>, POST, Scoped, Confidential {
    /// The properties of the new token.
    public struct Input: Codable, Sendable {
        /// The token's scopes.
        public var scopes: [String]
        /// The name of the token's owner.
        public var name: String?
        /// The token's lifetime in seconds; by default 90 days, 0 for a token that never expires.
        public var lifetime: Int?

        /// Creates the input for a token with scopes.
        public init(
            scopes: [String],
            name: String? = nil,
            lifetime: Int? = nil
        ) {
            self.scopes = scopes
            self.name = name
            self.lifetime = lifetime
        }
    }

    /// The new token.
    public struct Output: Codable, Sendable {
        /// The token itself, which the server doesn't store.
        public var token: String
        /// The token's properties.
        public var info: TokenInfo
    }

    /// Served at `POST /tokens`.
    public static var path: String { "/tokens" }
    /// Only for administrators.
    public static var scopes: Scopes { .admin }

    /// The new token's path.
    public static func location(of output: Output) -> String? { "/tokens/\(output.info.id)" }
}

extension CreateToken.Input: Constrained {
    /// The limits on a token's properties.
    public static var constraints: Constraints {
        [
            "scopes": [
                .minItems(1), .maxItems(64),
                .items(.minLength(1), .maxLength(62), .pattern("^[!#-\\[\\]-~]+$")),
            ],
            "name": [.maxLength(200), .pattern("^[^\\u0000-\\u001F\\u007F]*$")],
            "lifetime": [
                .minimum(0), .maximum(3_155_760_000),
                .description("In seconds; 0 for a token that never expires."),
            ],
        ]
    }
}

/// Gives a bearer token a new secret, which it returns once; the old secret ends.
///
/// The token's number, name and scopes stay, and so do its approvals and schedules.
open class RotateToken: Action<RotateToken.Input, CreateToken.Output>, POST, Scoped, Confidential {
    /// The token, and how long its new secret is valid.
    public struct Input: Codable, Sendable {
        /// The token's number.
        public var id: String
        /// The lifetime of the new secret in seconds; by default that of the old one, 0 for a secret
        /// that never expires.
        public var lifetime: Int?

        /// Creates the input with a token's number.
        public init(id: String, lifetime: Int? = nil) {
            self.id = id
            self.lifetime = lifetime
        }
    }

    /// Served at `POST /tokens/{id}/rotate`.
    public static var path: String { "/tokens/{id}/rotate" }
    /// Only for administrators.
    public static var scopes: Scopes { .admin }
}

extension RotateToken.Input: Constrained {
    /// The limits on the lifetime.
    public static var constraints: Constraints {
        [
            "lifetime": [
                .minimum(0), .maximum(3_155_760_000),
                .description("In seconds; 0 for a token that never expires."),
            ]
        ]
    }
}

/// The number of a token.
public struct TokenID: Codable, Sendable {
    /// The token's number.
    public var id: String

    /// Creates the input with a token's number.
    public init(id: String) { self.id = id }
}

/// Returns one bearer token's properties.
open class GetToken: Action<TokenID, TokenInfo>, GET, Scoped {
    /// Served at `GET /tokens/{id}`.
    public static var path: String { "/tokens/{id}" }
    /// Only for administrators.
    public static var scopes: Scopes { .admin }
}

/// Revokes a bearer token.
open class RevokeToken: Action<TokenID, Void>, DELETE, Scoped {
    /// Served at `DELETE /tokens/{id}`.
    public static var path: String { "/tokens/{id}" }
    /// Only for administrators.
    public static var scopes: Scopes { .admin }
}

extension ExposedAction {
    /// The administration actions for tokens; new ones have only `declared` scopes.
    static func administration(of tokens: TokenStore, declared: Scopes) -> [ExposedAction] {
        [
            ExposedAction(own: ListTokens.self, .json(location: nil)) {
                try await tokens.list().map(TokenInfo.init)
            },
            ExposedAction(own: GetToken.self, .json(location: nil)) { input in
                guard let record = try await tokens.list().first(where: { $0.id == input.id })
                else { throw Problem.noToken(input.id) }
                return TokenInfo(record)
            },
            ExposedAction(own: CreateToken.self, .json(location: CreateToken.location)) {
                let made = try await tokens.create(
                    name: $0.name ?? "",
                    scopes: Scopes($0.scopes),
                    declared: declared,
                    lifetime: $0.lifetime.map(TokenLifetime.init(seconds:)) ?? .standard,
                    by: AdministrationAuthor($1)
                )
                return CreateToken.Output(token: made.text, info: TokenInfo(made.record))
            },
            ExposedAction(own: RotateToken.self, .json(location: nil)) {
                guard
                    let made = try await tokens.rotate(
                        $0.id,
                        lifetime: $0.lifetime.map(TokenLifetime.init(seconds:)),
                        by: AdministrationAuthor($1)
                    )
                else {
                    throw Problem.noToken($0.id)
                }
                return CreateToken.Output(token: made.text, info: TokenInfo(made.record))
            },
            ExposedAction(own: RevokeToken.self, .nothing) {
                guard try await tokens.revoke($0.id, by: AdministrationAuthor($1)) else {
                    throw Problem.noToken($0.id)
                }
            },
        ]
    }
}

extension TokenLifetime {
    /// The lifetime of an input; 0 is none.
    fileprivate init(seconds: Int) { self = seconds == 0 ? .unlimited : .seconds(seconds) }
}

extension Problem {
    /// The error for a missing token.
    ///
    /// A client may send a whole token in place of its number, so the number isn't repeated.
    fileprivate static func noToken(_ id: String) -> Problem {
        TokenText.number(id: id) == nil
            ? .notFound("a token's number has 12 hexadecimal digits, as GET /tokens lists it")
            : .notFound("there is no token \(id)")
    }
}
