import JSONCodec
package import PlugHTTP
import System

/// The error of an invalid new token.
package enum TokenError: Error, Equatable, ProblemConvertible, CustomStringConvertible {
    case name, scopes(String), noScopes, lifetime, tooMany
    /// No action declares the scope; the others are those that can be used.
    case undeclared(String, among: Scopes)

    /// The maximum length of a name, in characters.
    private static let nameLimit = 200
    private static let scopesLimit = 64
    /// One second to a hundred years.
    private static let lifetimes = 1...3_155_760_000

    static func check(
        name: String,
        scopes: Scopes,
        declared: Scopes?,
        lifetime: TokenLifetime
    ) throws(TokenError) {
        guard name.count <= nameLimit, TerminalText.isLine(name) else { throw .name }
        guard !scopes.isEmpty else { throw .noScopes }
        if let invalid = scopes.invalid.first { throw .scopes(invalid) }
        guard scopes.names.count <= scopesLimit, scopes.text.utf8.count <= 4096 else {
            throw .scopes(scopes.names[0])
        }
        if let declared, let other = scopes.names.first(where: { !declared.contains([$0]) }) {
            throw .undeclared(other, among: declared)
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
        case .undeclared(let scope, let declared):
            "no action of the server needs the scope \"\(scope)\": use "
                + Self.remedy(for: scope, among: declared.names)
        case .noScopes: "a token needs at least one scope"
        case .lifetime: "a token's lifetime is one second to a hundred years"
        case .tooMany: "the limit of \(TokenStore.maximumCount) tokens is reached: revoke some"
        }
    }

    /// The maximum number of scopes in a message.
    private static let shownLimit = 20

    /// The nearest declared scope, else all of them.
    private static func remedy(for scope: String, among names: [String]) -> String {
        if let nearest = nearestName(to: scope, among: names) { return nearest }
        let shown = names.prefix(shownLimit).joined(separator: ", ")
        return "one of \(shown)\(names.count > shownLimit ? ", …" : "")"
    }

    private var pointer: String? {
        switch self {
        case .name: "/name"
        case .scopes, .noScopes, .undeclared: "/scopes"
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
