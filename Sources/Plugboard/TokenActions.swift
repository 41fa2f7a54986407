import HTTPSyntax
import Identity
public import Plug
public import PlugHTTP

/// A bearer token as those see it who administer them: everything but the token.
public struct TokenInfo: Codable, Sendable, Equatable {
    /// Its number, which is no secret.
    public var id: String
    /// Whom it stands for.
    public var name: String
    /// What it opens.
    public var scopes: [String]
    /// When it was made, as `2026-11-22T08:00:00Z` (RFC 3339).
    public var created: String
    /// When it ends; nil for never.
    public var expires: String?

    init(_ record: TokenRecord) {
        id = record.id
        name = record.name
        scopes = record.scopes.names
        created = HTTPDate.timestamp(record.created)
        expires = record.expires.map(HTTPDate.timestamp)
    }
}

/// Lists the server's bearer tokens.
open class ListTokens: Action<Void, [TokenInfo]>, GET, Scoped {
    /// Served at `GET /tokens`.
    public static var path: String { "/tokens" }
    /// For those who administer the server.
    public static var scopes: Scopes { .admin }
}

/// Makes a bearer token, and gives it out, once.
open class CreateToken: Action<CreateToken.Input, CreateToken.Output>, POST, Scoped, Confidential {
    /// The token to make.
    public struct Input: Codable, Sendable {
        /// What it is to open.
        public var scopes: [String]
        /// Whom it stands for, as people call it.
        public var name: String?
        /// How long it is to live, in seconds; for ever if not given.
        public var lifetime: Int?

        /// A token of these scopes.
        public init(scopes: [String], name: String? = nil, lifetime: Int? = nil) {
            self.scopes = scopes
            self.name = name
            self.lifetime = lifetime
        }
    }

    /// The token that was made.
    public struct Output: Codable, Sendable {
        /// The token itself, which the server forgets.
        public var token: String
        /// What the server knows of it from now on.
        public var info: TokenInfo
    }

    /// Served at `POST /tokens`.
    public static var path: String { "/tokens" }
    /// For those who administer the server.
    public static var scopes: Scopes { .admin }

    /// The new token's address.
    public static func location(of output: Output) -> String? { "/tokens/\(output.info.id)" }
}

extension CreateToken.Input: Constrained {
    /// What a token can be.
    public static var constraints: Constraints {
        [
            "scopes": [
                .minItems(1), .maxItems(64),
                .items(.minLength(1), .maxLength(62), .pattern("^[!#-\\[\\]-~]+$")),
            ],
            "name": [.maxLength(200), .pattern("^[^\\u0000-\\u001F\\u007F]*$")],
            "lifetime": [.minimum(1), .maximum(3_155_760_000), .description("In seconds.")],
        ]
    }
}

/// Which token.
public struct TokenID: Codable, Sendable {
    /// The token's number.
    public var id: String

    /// The token of that number.
    public init(id: String) { self.id = id }
}

/// Tells of one of the server's bearer tokens.
open class GetToken: Action<TokenID, TokenInfo>, GET, Scoped {
    /// Served at `GET /tokens/{id}`.
    public static var path: String { "/tokens/{id}" }
    /// For those who administer the server.
    public static var scopes: Scopes { .admin }
}

/// Revokes a bearer token.
open class RevokeToken: Action<TokenID, Void>, DELETE, Scoped {
    /// Served at `DELETE /tokens/{id}`.
    public static var path: String { "/tokens/{id}" }
    /// For those who administer the server.
    public static var scopes: Scopes { .admin }
}

extension ExposedAction {
    /// The actions by which a server's tokens are administered.
    static func administration(of tokens: TokenStore) -> [ExposedAction] {
        [
            ExposedAction(own: ListTokens.self, .json(location: nil)) {
                try await tokens.list().map(TokenInfo.init)
            },
            ExposedAction(own: GetToken.self, .json(location: nil)) { input in
                guard let record = try await tokens.list().first(where: { $0.id == input.id })
                else { throw Problem.notFound("there is no token \(input.id)") }
                return TokenInfo(record)
            },
            ExposedAction(own: CreateToken.self, .json(location: CreateToken.location)) {
                let made = try await tokens.create(
                    name: $0.name ?? "",
                    scopes: Scopes($0.scopes),
                    lifetime: $0.lifetime
                )
                return CreateToken.Output(token: made.text, info: TokenInfo(made.record))
            },
            ExposedAction(own: RevokeToken.self, .nothing) {
                guard try await tokens.revoke($0.id) else {
                    throw Problem.notFound("there is no token \($0.id)")
                }
            },
        ]
    }
}
