import Locking
package import PlugHTTP

extension TokenStore {
    /// The state of a token, by its number.
    package enum Standing: Sendable, Equatable {
        /// The token is valid, with these scopes and all that they imply.
        case valid(Scopes)
        case expired
        case revoked
        /// No token of this store has the number.
        case unknown
    }

    /// Returns the end of a known token in seconds since 1970; nil if it has none.
    package func expiry(ofToken id: String) -> Int? {
        guard let number = TokenText.number(id: id) else { return nil }
        return state.withLock { $0.snapshot?.entries[number]?.record.expires }
    }

    /// Returns the state of a token; nil if the text isn't a token's number.
    ///
    /// It reads changes of other processes first.
    package func standing(of id: String) async throws -> Standing? {
        guard let number = TokenText.number(id: id) else { return nil }
        try await load()
        let (entry, isRevoked) = state.withLock { state in
            (state.snapshot?.entries[number], state.snapshot?.revoked.contains(number) == true)
        }
        guard let entry else { return isRevoked ? .revoked : .unknown }
        return entry.record.isExpired(at: now()) ? .expired : .valid(entry.caller.scopes)
    }
}
