package import PlugHTTP

extension TokenStore {
    /// The state of a token, by its number.
    package enum Standing: Sendable, Equatable {
        /// The token is valid, with these scopes and all that they imply.
        case valid(Scopes)
        case expired
        case revoked
        /// No token of this folder has the number.
        case unknown
    }

    /// Returns the state of a token; nil if the text isn't a token's number.
    ///
    /// It reads changes of other processes first, and blocks the calling thread meanwhile.
    package func standing(of id: String) throws -> Standing? {
        guard let number = TokenText.number(id: id) else { return nil }
        guard let record = try currentRecord(number) else { return .unknown }
        if record.revoked != nil { return .revoked }
        return isExpired(record) ? .expired : .valid(scopes(of: record))
    }
}
