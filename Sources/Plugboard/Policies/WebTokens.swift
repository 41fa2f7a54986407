import System

/// The accepted JSON Web Tokens: signed ones (RFC 7519) from one issuer, for this server.
///
/// `sub` is the caller, and `scope` or `scp` has the scopes. A token needs `exp`, and an exact
/// `iss` and `aud`. `kid` names its key, which must be meant for the token's algorithm. All
/// other tokens are rejected, including unsigned ones.
public struct WebTokens: Sendable, Equatable {
    /// The source of the issuer's public keys: a JSON Web Key Set (RFC 7517).
    public enum Keys: Sendable, Equatable {
        /// A file; an edit goes live within a second.
        ///
        /// An invalid edit is logged and the last valid keys stay.
        case file(String)
        /// A URL of `https`, or of `http` on this machine.
        ///
        /// The server fetches it before it is ready, and again after its `max-age`: at least a
        /// minute, at most a day, ten minutes by default. It also fetches it when a token names
        /// an unknown key, at most every ten seconds. A failed fetch is logged and the last
        /// valid keys stay.
        case url(String)

        /// Creates a URL from text with `https://` or `http://`, else a file.
        public init(_ text: String) {
            let isURL = ["https://", "http://"].contains { text.lowercased().hasPrefix($0) }
            self = isURL ? .url(text) : .file(text)
        }
    }

    /// The source of the issuer's keys.
    public var keys: Keys
    /// The issuer; `iss` must equal it exactly.
    public var issuer: String
    /// The audiences; `aud` must contain one of them exactly.
    public var audiences: [String]

    /// Accepts an issuer's tokens for one of several audiences.
    public init(keys: Keys, issuer: String, audiences: String...) {
        self.keys = keys
        self.issuer = issuer
        self.audiences = audiences
    }

    /// Whether an issuer or audience is valid: text without control characters.
    ///
    /// The audit couldn't store an author with a control character in its name.
    package static func isLine(_ text: String) -> Bool {
        !text.isEmpty && TerminalText.isLine(text)
    }
}
