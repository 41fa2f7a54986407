/// Parses numbers in texts like JavaScript.
enum NumericText {
    /// Returns the number of a whole text, like `Number()`.
    ///
    /// Surrounding spaces are ignored, an empty text is 0, `0x1F` is 31, and an invalid number is
    /// NaN.
    static func number(_ text: String) -> Double {
        let trimmed = trim(text)
        let bytes = trimmed.utf8
        if bytes.isEmpty { return 0 }
        if bytes.first == UInt8(ascii: "0"), bytes.count > 2 {
            switch bytes[bytes.index(after: bytes.startIndex)] | 0x20 {
            case UInt8(ascii: "x"): return integer(trimmed.dropFirst(2), radix: 16)
            case UInt8(ascii: "o"): return integer(trimmed.dropFirst(2), radix: 8)
            case UInt8(ascii: "b"): return integer(trimmed.dropFirst(2), radix: 2)
            default: break
            }
        }
        return decimalEnd(bytes) == bytes.endIndex ? value(trimmed) : .nan
    }

    /// Returns the number at the start of a text, like `parseFloat()`; NaN if there is none.
    static func leadingNumber(_ text: String) -> Double {
        let trimmed = trim(text)
        let end = decimalEnd(trimmed.utf8)
        return end == trimmed.startIndex ? .nan : value(trimmed[..<end])
    }

    /// Removes surrounding white space and line ends, as ECMA-262 defines them.
    private static func trim(_ text: String) -> Substring {
        var text = text
        let (start, end) = text.withUTF8 { bytes in
            var (start, end) = (0, bytes.count)
            while let count = space(bytes[start..<end]) { start += count }
            while let count = (1...3).first(where: { count in
                count <= end - start && space(bytes[(end - count)..<end]) == count
            }) { end -= count }
            return (start, end)
        }
        let bytes = text.utf8
        let first = bytes.index(bytes.startIndex, offsetBy: start)
        return text[first..<bytes.index(first, offsetBy: end - start)]
    }

    /// Returns the length of the white space character at the start; nil if there is none.
    private static func space(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        let at = bytes.startIndex
        guard at < bytes.endIndex else { return nil }
        switch bytes[at] {
        case 0x09...0x0D, 0x20: return 1
        case 0xC2 where bytes.count > 1 && bytes[at + 1] == 0xA0: return 2
        case 0xE1...0xEF where bytes.count > 2:
            let scalar =
                UInt32(bytes[at] & 0xF) << 12 | UInt32(bytes[at + 1] & 0x3F) << 6
                | UInt32(bytes[at + 2] & 0x3F)
            switch scalar {
            // Unicode's space separators (Zs), line and paragraph separators, and the byte order
            // mark.
            case 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF: return 3
            default: return nil
            }
        default: return nil
        }
    }

    private static func integer(_ digits: Substring, radix: Double) -> Double {
        var value = 0.0
        for byte in digits.utf8 {
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x41...0x46: digit = byte - 0x37
            case 0x61...0x66: digit = byte - 0x57
            default: return .nan
            }
            guard Double(digit) < radix else { return .nan }
            value = value * radix + Double(digit)
        }
        return value
    }

    /// Returns the value of a text that `decimalEnd` has validated.
    private static func value(_ text: Substring) -> Double {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let hasSign = isNegative || text.utf8.first == UInt8(ascii: "+")
        let rest = hasSign ? text.dropFirst() : text
        let magnitude = rest.utf8.first == UInt8(ascii: "I") ? .infinity : Double(rest) ?? .nan
        return isNegative ? -magnitude : magnitude
    }

    /// Returns the end of the decimal number at the start; the start index if there is none.
    private static func decimalEnd(_ bytes: Substring.UTF8View) -> Substring.Index {
        var at = bytes.startIndex
        func digits() -> Bool {
            let first = at
            while at < bytes.endIndex, bytes[at] &- 0x30 < 10 { at = bytes.index(after: at) }
            return at > first
        }
        func take(_ accepted: [Unicode.Scalar]) -> Bool {
            guard at < bytes.endIndex, accepted.contains(where: { bytes[at] == UInt8(ascii: $0) })
            else { return false }
            at = bytes.index(after: at)
            return true
        }
        _ = take(["+", "-"])
        if bytes[at...].starts(with: "Infinity".utf8) { return bytes.index(at, offsetBy: 8) }
        let hasWhole = digits()
        var hasFraction = false
        var end = at
        if take(["."]) {
            hasFraction = digits()
            if hasWhole || hasFraction { end = at }
        }
        guard hasWhole || hasFraction else { return bytes.startIndex }
        if take(["e", "E"]) {
            _ = take(["+", "-"])
            if digits() { end = at }
        }
        return end
    }
}
