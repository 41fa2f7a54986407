/// The time from a token's creation to its expiry.
package enum TokenLifetime: Sendable, Equatable {
    case seconds(Int)
    /// The token never expires.
    case unlimited

    /// 90 days, for a token without another lifetime: a forgotten token ends.
    package static let standard = TokenLifetime.seconds(90 * 86_400)

    /// Returns the expiry time of a token that is created at a time; nil for never.
    func end(from created: Int) -> Int? {
        switch self {
        case .seconds(let seconds): created + seconds
        case .unlimited: nil
        }
    }
}
