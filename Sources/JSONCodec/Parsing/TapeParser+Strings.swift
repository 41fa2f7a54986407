extension TapeParser {
    /// Moves past a string from its quote on; returns whether it contains escapes.
    mutating func string() throws(JSONError) -> Bool {
        let quote = at
        var isEscaped = false
        at += 1
        while true {
            skipPlain()
            guard at < bytes.count else { throw error("the string has no end", at: quote) }
            let byte = bytes[at]
            if byte == UInt8(ascii: "\"") {
                at += 1
                return isEscaped
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
                try escape()
            } else if byte >= 0x80 {
                try scalar()
            } else if byte < 0x20 {
                throw error("a control character must be escaped")
            } else {
                at += 1
            }
        }
    }

    /// Moves to the next byte that needs a check, eight at a time.
    @inline(__always)
    private mutating func skipPlain() {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        while at + 8 <= bytes.count {
            let word = UInt64(
                littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            )
            let quotes = word ^ (ones &* 0x22)
            let slashes = word ^ (ones &* 0x5C)
            // The lowest high bit marks the first byte that is `"`, `\`, below 0x20 or not ASCII.
            let found =
                (((quotes &- ones) & ~quotes) | ((slashes &- ones) & ~slashes)
                    | ((word &- ones &* 0x20) & ~word) | word) & highs
            guard found == 0 else {
                at += found.trailingZeroBitCount / 8
                return
            }
            at += 8
        }
    }

    /// Moves past an escape, from its backslash on.
    private mutating func escape() throws(JSONError) {
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
            else { throw error("half a surrogate pair", at: start) }
        default:
            throw error("no such escape")
        }
    }

    /// Parses the code unit of an escape `\uXXXX`.
    private mutating func readCodeUnit() throws(JSONError) -> UInt32 {
        guard at + 6 <= bytes.count, let unit = codeUnit(bytes, at: at + 2) else {
            throw error("expected four hexadecimal digits")
        }
        at += 6
        return unit
    }

    /// Moves past a scalar of several bytes, by the table of RFC 3629, section 4.
    private mutating func scalar() throws(JSONError) {
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
