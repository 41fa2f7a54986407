package import PlugHTTP

/// What can't be a token's.
package enum TokenError: Error, Equatable, ProblemConvertible, CustomStringConvertible {
    case name, scopes(String), noScopes, lifetime, tooMany

    /// The most characters of a name.
    private static let nameLimit = 200
    private static let scopesLimit = 64
    /// A hundred years.
    private static let lifetimes = 1...3_155_760_000

    static func check(name: String, scopes: Scopes, lifetime: Int?) throws(TokenError) {
        let isLine = name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        guard name.count <= nameLimit, isLine else { throw .name }
        guard !scopes.isEmpty else { throw .noScopes }
        if let invalid = scopes.invalid.first { throw .scopes(invalid) }
        guard scopes.names.count <= scopesLimit, scopes.text.utf8.count <= 4096 else {
            throw .scopes(scopes.names[0])
        }
        if let lifetime, !lifetimes.contains(lifetime) { throw .lifetime }
    }

    /// What is wrong, for people.
    package var description: String {
        switch self {
        case .name: "a token's name is a line of at most \(Self.nameLimit) characters"
        case .scopes(let scope):
            "a scope is visible ASCII without quotes and backslashes, and a token has at most "
                + "\(Self.scopesLimit) short ones: not so \"\(scope)\""
        case .noScopes: "a token without a scope opens nothing: give it one"
        case .lifetime: "a token lives a second at least and a hundred years at most"
        case .tooMany: "there are \(TokenStore.greatestCount) tokens: revoke some"
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

    /// What a client is told.
    package var problem: Problem {
        guard let pointer else { return .conflict(description) }
        var problem = Problem.unprocessableContent(description)
        problem.errors = [.init(pointer: pointer, detail: description)]
        return problem
    }
}
