import HTTPTypes

/// The keys that make a repeated request one request (draft-ietf-httpapi-idempotency-key-header).
enum IdempotencyKey {
    /// Returns a new key, quoted (RFC 9651 §3.3.3).
    static func make() -> String { "\"\(RandomDigits.make())\"" }
}

/// Texts that nobody can guess.
enum RandomDigits {
    /// Returns 128 random bits as 32 hexadecimal digits.
    static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<2).map { _ in
            let text = String(generator.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }.joined()
    }
}

extension HTTPField.Name {
    /// The key of a request that a server performs once.
    static let idempotencyKey = HTTPField.Name("Idempotency-Key") ?? .ifMatch
}
