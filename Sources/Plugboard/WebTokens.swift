import HTTPTypes
import Identity
import Logging
import PlugHTTP

extension Server.Configuration {
    /// The JSON Web Tokens that callers may bear: signed ones (RFC 7519) of one issuer, for this server.
    ///
    /// A token's subject (`sub`) is its bearer's name, and `scope` or `scp` has the scopes. It has to
    /// end (`exp`), and to name issuer and audience to the letter; its key is the one that it names
    /// (`kid`), used with an algorithm that the key is for. No token of another kind is taken, and
    /// none without a signature.
    public struct WebTokens: Sendable, Equatable {
        /// Where the issuer's public keys are: a JSON Web Key Set (RFC 7517).
        public enum Keys: Sendable, Equatable {
            /// A file. An edit of it goes live within a second; one that is no set of keys is told in
            /// the log and changes nothing.
            case file(String)
            /// A URL of `https`, or of `http` at this machine.
            ///
            /// It is fetched before the server is ready, when its `max-age` is over (a minute at
            /// least, a day at most, ten minutes where it says nothing), and when a token names a key
            /// that isn't known, at most every ten seconds. A fetch that fails is told in the log and
            /// leaves the keys as they were.
            case url(String)

            /// The keys at a URL of `https` or `http`, else in a file.
            public init(_ text: String) {
                let isURL = ["https://", "http://"].contains { text.lowercased().hasPrefix($0) }
                self = isURL ? .url(text) : .file(text)
            }
        }

        /// Where the issuer's keys are.
        public var keys: Keys
        /// The issuer (`iss`), to the letter.
        public var issuer: String
        /// Whom the tokens are for: `aud` has to name one of them, to the letter.
        public var audiences: [String]

        /// The tokens of that issuer for one of those audiences.
        public init(keys: Keys, issuer: String, audiences: String...) {
            self.keys = keys
            self.issuer = issuer
            self.audiences = audiences
        }

        /// Whether an issuer or an audience can be one: a text without control characters.
        ///
        /// No issuer's name has one, and a change by somebody of such an issuer couldn't be written down.
        package static func isLine(_ text: String) -> Bool {
            !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        }

        /// What checks them.
        func verifier(_ logger: Logger) throws -> WebTokenVerifier {
            // Without both, a token that was made for another service would open this one.
            guard !issuer.isEmpty else { throw Unusable("JSON Web Tokens need an issuer") }
            guard !audiences.isEmpty, !audiences.contains("") else {
                throw Unusable("JSON Web Tokens need an audience")
            }
            guard Self.isLine(issuer), audiences.allSatisfy(Self.isLine) else {
                throw Unusable("an issuer or audience of JSON Web Tokens has a control character")
            }
            let source: KeySource =
                switch keys {
                case .file(let path): .file(path)
                case .url(let url): .remote(url, try KeyFetch(url).fetch)
                }
            let rules = WebTokenRules(issuer: issuer, audiences: audiences)
            return try WebTokenVerifier(source, rules, logger: logger)
        }

        /// Why there can't be such tokens.
        struct Unusable: Error, CustomStringConvertible {
            let description: String

            init(_ description: String) { self.description = description }
        }
    }
}

extension WebTokenVerifier {
    /// Whether there are keys: without, no bearer of such a token can be served.
    var readiness: ReadinessCheck {
        ReadinessCheck("the keys of JSON Web Tokens") { [self] in
            guard hasKeys else { throw Problem.serviceUnavailable("there are none") }
        }
    }
}
