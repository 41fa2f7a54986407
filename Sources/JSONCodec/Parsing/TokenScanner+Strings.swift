extension TokenScanner {
    /// Returns the end of a string that has other characters than plain ones.
    ///
    /// It begins at the first byte that isn't plain.
    @inline(never)
    static func restOfString(
        from quote: Int,
        _ at: Int,
        _ bytes: UnsafeRawBufferPointer
    ) throws(TokenError) -> (end: Int, isEscaped: Bool) {
        var tokens = TokenScanner(bytes, from: at)
        var isEscaped = false
        while true {
            guard !tokens.isAtEnd else {
                throw TokenError(message: "the string has no end", offset: quote)
            }
            let byte = tokens.next
            if byte == UInt8(ascii: "\"") {
                return (tokens.at + 1, isEscaped)
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
                try tokens.escape()
            } else if byte >= 0x80 {
                try tokens.scalar()
            } else if byte < 0x20 {
                throw tokens.error("a control character must be escaped")
            } else {
                tokens.at += 1
            }
            tokens.skipPlain()
        }
    }

    /// Moves past an escape, from its backslash on.
    private mutating func escape() throws(TokenError) {
        let start = at
        guard at + 1 < bytes.count else { throw error("the string has no end") }
        switch bytes[at + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            at += 2
        case UInt8(ascii: "u"):
            let unit = try readCodeUnit()
            guard unit & 0xF800 == 0xD800 else { return }
            // RFC 8259, section 8.2: half a surrogate pair is no character.
            guard unit < 0xDC00, at + 1 < bytes.count, bytes[at] == UInt8(ascii: "\\"),
                bytes[at + 1] == UInt8(ascii: "u"), try readCodeUnit() & 0xFC00 == 0xDC00
            else { throw TokenError(message: "half a surrogate pair", offset: start) }
        default:
            throw error("no such escape")
        }
    }

    /// Parses the code unit of an escape `\uXXXX`.
    private mutating func readCodeUnit() throws(TokenError) -> UInt32 {
        guard at + 6 <= bytes.count, let unit = codeUnit(bytes, at: at + 2) else {
            throw error("expected four hexadecimal digits")
        }
        at += 6
        return unit
    }

    /// Moves past a scalar of several bytes, by the table of RFC 3629, section 4.
    private mutating func scalar() throws(TokenError) {
        let first = bytes[at]
        let (count, second): (Int, ClosedRange<UInt8>) =
            switch first {
            case 0xC2...0xDF: (2, 0x80...0xBF)
            case 0xE0: (3, 0xA0...0xBF)
            case 0xED: (3, 0x80...0x9F)
            case 0xE1...0xEF: (3, 0x80...0xBF)
            case 0xF0: (4, 0x90...0xBF)
            case 0xF1...0xF3: (4, 0x80...0xBF)
            case 0xF4: (4, 0x80...0x8F)
            default: (0, 0...0)
            }
        guard count > 0, at + count <= bytes.count, second.contains(bytes[at + 1]),
            bytes[at + 2..<at + count].allSatisfy({ $0 & 0xC0 == 0x80 })
        else { throw error("invalid UTF-8") }
        at += count
    }
}
