import HTTPTypes
package import Identity
import Logging
import PlugHTTP
import System

extension Server.Configuration {
    /// The accepted JSON Web Tokens.
    public typealias WebTokens = Plugboard.WebTokens
}

extension WebTokens {
    /// Creates the verifier of tokens.
    func verifier(_ implied: ImpliedScopes, _ logger: Logger) throws -> WebTokenVerifier {
        // Without both, the server would accept tokens for other services.
        guard !issuer.isEmpty else { throw Unusable("JSON Web Tokens need an issuer") }
        guard !audiences.isEmpty, !audiences.contains("") else {
            throw Unusable("JSON Web Tokens need an audience")
        }
        guard Self.isLine(issuer), audiences.allSatisfy(Self.isLine) else {
            throw Unusable("an issuer or audience of JSON Web Tokens has a control character")
        }
        let rules = WebTokenRules(
            issuer: issuer,
            audiences: audiences,
            implied: implied
        )
        return try WebTokenVerifier(try source(), rules, logger: logger)
    }

    /// Returns the source of the keys, which reads nothing yet; throws for an invalid URL.
    package func source() throws -> KeySource {
        switch keys {
        case .file(let path): .file(path)
        case .url(let url): .remote(url, try KeyFetch(url).fetch)
        }
    }

    /// The reason why the settings are invalid.
    struct Unusable: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }
}

extension WebTokenVerifier {
    /// The check for keys, without which the server rejects all such tokens.
    var readiness: ReadinessCheck {
        ReadinessCheck("the keys of JSON Web Tokens") { [self] in
            guard hasKeys else { throw Problem.serviceUnavailable("no key is available") }
        }
    }
}

extension Authenticator {
    /// Creates the verifier of an issuer's tokens; nil for an authenticator of other credentials.
    func verifier(_ implied: ImpliedScopes, _ logger: Logger) throws -> WebTokenVerifier? {
        guard case .webTokens(let tokens) = check else { return nil }
        return try tokens.verifier(implied, logger)
    }
}
