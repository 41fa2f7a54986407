package import PlugHTTP
import System

/// The error of an invalid new token.
package enum TokenError: Error, Equatable, ProblemConvertible, CustomStringConvertible {
    case name, scopes(String), noScopes, lifetime, tooMany

    /// The maximum length of a name, in characters.
    private static let nameLimit = 200
    private static let scopesLimit = 64
    /// One second to a hundred years.
    private static let lifetimes = 1...3_155_760_000

    static func check(name: String, scopes: Scopes, lifetime: TokenLifetime) throws(TokenError) {
        guard name.count <= nameLimit, TerminalText.isLine(name) else { throw .name }
        guard !scopes.isEmpty else { throw .noScopes }
        if let invalid = scopes.invalid.first { throw .scopes(invalid) }
        guard scopes.names.count <= scopesLimit, scopes.text.utf8.count <= 4096 else {
            throw .scopes(scopes.names[0])
        }
        try check(lifetime)
    }

    static func check(_ lifetime: TokenLifetime) throws(TokenError) {
        if case .seconds(let seconds) = lifetime, !lifetimes.contains(seconds) { throw .lifetime }
    }

    /// The message for people.
    package var description: String {
        switch self {
        case .name: "a token's name is a line of at most \(Self.nameLimit) characters"
        case .scopes(let scope):
            "invalid scope \"\(scope)\": use visible ASCII without quotes and backslashes, and at most "
                + "\(Self.scopesLimit) scopes with 4096 bytes in total"
        case .noScopes: "a token needs at least one scope"
        case .lifetime: "a token's lifetime is one second to a hundred years"
        case .tooMany: "the limit of \(TokenStore.maximumCount) tokens is reached: revoke some"
        }
    }

    private var pointer: String? {
        switch self {
        case .name: "/name"
        case .scopes, .noScopes: "/scopes"
        case .lifetime: "/lifetime"
        case .tooMany: nil
        }
    }

    /// The response to the client.
    package var problem: Problem {
        guard let pointer else { return .conflict(description) }
        var problem = Problem.unprocessableContent(description)
        problem.errors = [.init(pointer: pointer, detail: description)]
        return problem
    }
}
