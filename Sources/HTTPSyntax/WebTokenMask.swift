/// Finds the secrets of JSON Web Tokens: three parts in base64url, separated by dots (RFC 7515
/// §7.1), or five of an encrypted one (RFC 7516 §7.1).
enum WebTokenMask {
    /// The first characters of each token: `{"` in base64url.
    private static let prefix: StaticString = "eyJ"

    /// The result of a search at one place.
    enum Finding {
        /// The payload and the signature of a token that begins there.
        case secret(Range<Int>)
        /// No token begins there, nor at a later place before the given one.
        case none(before: Int)
    }

    /// Searches for a token that begins at a place.
    ///
    /// A token that is cut off in its payload counts: logs shorten long texts.
    static func find(in text: ByteSpan, at begin: Int) -> Finding {
        var place = begin
        for index in 0..<prefix.utf8CodeUnitCount {
            guard let (byte, next) = TokenMask.character(of: text, at: place),
                byte == prefix.utf8Start[index]
            else { return .none(before: begin) }
            place = next
        }
        let header = end(of: text, from: place, dots: false)
        guard let (dot, payload) = TokenMask.character(of: text, at: header), isDot(dot) else {
            return .none(before: header)
        }
        let second = end(of: text, from: payload, dots: false)
        let isCut = second == text.count && second > payload
        guard let (byte, _) = TokenMask.character(of: text, at: second), isDot(byte) else {
            // A name such as eyJx.json at the text's end is masked, too.
            return isCut ? .secret(payload..<second) : .none(before: header)
        }
        return .secret(payload..<end(of: text, from: second, dots: true))
    }

    /// Returns the end of the base64url characters from a place, also percent-encoded ones.
    private static func end(of text: ByteSpan, from start: Int, dots: Bool) -> Int {
        var end = start
        while let (byte, next) = TokenMask.character(of: text, at: end),
            isBase64URL(byte) || dots && isDot(byte)
        { end = next }
        return end
    }

    private static func isDot(_ byte: UInt8) -> Bool { byte == UInt8(ascii: ".") }

    /// The alphabet of base64url (RFC 4648 §5).
    private static func isBase64URL(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
